// Quantities, written as tributary-play writes them.

export const rateText = kbits => {
  if (kbits < 999.5) return `${kbits.toFixed(0)} kbit/s`;
  return `${(kbits / 1000).toFixed(kbits < 99950 ? 1 : 0)} Mbit/s`;
};

export const sizeText = bytes => {
  if (bytes < 1000) return `${bytes} bytes`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  let size = bytes / 1000;
  while (size >= 999.95 && units.length > 1) {
    size /= 1000;
    units.shift();
  }
  return `${size.toFixed(1)} ${units[0]}`;
};

export const spanText = seconds => {
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  return seconds < 119.5 ? `${seconds.toFixed(0)} s` : `${(seconds / 60).toFixed(0)} min`;
};

// Small prices need more places than two: 0.004 for each MB.
export const moneyText = money => (money > 0 && money < 0.1 ? String(Number(money.toPrecision(2))) : money.toFixed(2));

export const percentText = fraction => `${(100 * fraction).toFixed(0)} %`;

export const countText = (count, one, several) => `${count} ${count === 1 ? one : several}`;
