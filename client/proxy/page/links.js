// The links, and how the user wants them to be used.

import {byId, fromTemplate, Rows, setText, tell} from './elements.js';
import {moneyText, percentText, rateText, sizeText} from './quantities.js';
import {post} from './requests.js';

const KINDS_OF_LINKS = {wifi: 'Wi-Fi', cellular: 'Mobile network', ethernet: 'Cable', loopback: 'This computer',
                       lent: 'Lent link'};
const TROUBLES = new Set(['suspect', 'avoided', 'used-up', 'down']);
const ACTIVITIES = {
  idle: 'Ready, nothing to fetch now',
  suspect: 'Does not answer in time',
  avoided: 'Failed, left alone for now',
  'used-up': 'What it may bring is used up',
  standby: 'Standing by until it is needed',
  off: 'Not used, as you chose',
  down: 'Not connected',
};
const COLOURS = 6;
const SECONDS_OF_RATES = 60;

const linkTitle = link => `${KINDS_OF_LINKS[link.kind] ?? 'Virtual network'} · ${link.name}`;

const activityText = link =>
  link.activity === 'used' ? `Carries ${percentText(link.share)} of the video` : ACTIVITIES[link.activity] ?? '';

const costText = link => {
  const bytes = sizeText(link.bytes);
  switch (link.cost) {
    case 'paid': {
      const price = link.price_per_mb === null ? '' : ` · ${moneyText(link.price_per_mb)} for each MB`;
      const money = link.money === null ? '' : `, which cost ${moneyText(link.money)}`;
      return `${bytes} brought${money}${price}`;
    }
    case 'metered': {
      const used = link.used_bytes ?? link.bytes;
      const cap = link.cap_bytes === null ? '' : ` · ${sizeText(used)} of ${sizeText(link.cap_bytes)} used`;
      return `Metered · ${bytes} brought${cap}`;
    }
    case 'lent': {
      const left = link.cap_bytes === null ? '' : ` · ${sizeText(link.used_bytes ?? link.bytes)} of ${sizeText(link.cap_bytes)} used today`;
      return `Lent · ${bytes} brought${left}`;
    }
    case 'backup':
      return `Backup · ${bytes} brought`;
    default:
      return `${bytes} brought`;
  }
};

// A link that comes back has the colour that it had.
const colours = new Map();
const colourOf = name => {
  if (!colours.has(name)) colours.set(name, `colour-${colours.size % COLOURS}`);
  return colours.get(name);
};

class LinkRow {
  constructor(link) {
    this.element = fromTemplate('link-template');
    const part = name => this.element.querySelector(name);
    Object.assign(this, {
      name: part('.name'), rate: part('.rate'), activity: part('.activity'), why: part('.why'), facts: part('.facts'),
      cap: part('.cap'), legend: part('legend'), error: part('.error'), line: part('polyline'), area: part('polygon'),
      choices: [...this.element.querySelectorAll('input')], rates: [],
    });
    this.element.classList.add(colourOf(link.name));
    for (const choice of this.choices) {
      choice.name = `use-${link.name}`;
      choice.addEventListener('change', () => this.choose(choice.value));
    }
  }

  show(link) {
    const before = this.link;
    this.link = link;
    const title = linkTitle(link);
    setText(this.name, title);
    setText(this.rate, link.rate_kbit_s < 0.001 ? '–' : rateText(link.rate_kbit_s));
    setText(this.activity, activityText(link));
    setText(this.why, link.why);
    setText(this.facts, costText(link));
    setText(this.legend, `Whether ${title} is used`);
    const troubled = TROUBLES.has(link.activity);
    this.element.classList.toggle('troubled', troubled);
    const capped = (link.cost === 'metered' || link.cost === 'lent') && link.cap_bytes !== null;
    this.cap.hidden = !capped;
    this.cap.setAttribute('aria-label', `Used of the cap of ${title}`);
    this.cap.value = capped ? Math.min(1, (link.used_bytes ?? link.bytes) / Math.max(1, link.cap_bytes)) : 0;
    if (before && troubled !== TROUBLES.has(before.activity)) tell(`${title}: ${activityText(link)}. ${link.why}`);
    this.showUse();
  }

  // The proxy may show a choice a moment after it was made.
  showUse() {
    if (this.wanted !== undefined && this.wanted !== this.link.use && (this.sending || this.patience-- > 0)) return;
    this.wanted = undefined;
    for (const choice of this.choices) choice.checked = choice.value === this.link.use;
  }

  // Arrow keys pass by choices: one request at a time, and then the last one.
  async choose(use) {
    this.wanted = use;
    this.patience = 4;
    if (this.sending) return;
    this.sending = true;
    try {
      for (let sent; this.wanted !== undefined && sent !== this.wanted;) {  // the status may have shown it meanwhile
        sent = this.wanted;
        await post('link', {name: this.link.name, use: sent});
      }
      setText(this.error, '');
    } catch (failure) {
      setText(this.error, failure.message);
      this.wanted = undefined;
    }
    this.sending = false;
    this.showUse();
  }

  noteRate(kbits) { this.rates = [...this.rates, kbits].slice(-SECONDS_OF_RATES); }

  draw(most) {
    const first = SECONDS_OF_RATES - this.rates.length;
    const points = this.rates.map((rate, i) => `${first + i},${(19 - 18 * rate / most).toFixed(2)}`);
    this.line.parentElement.classList.toggle('none', this.rates.every(rate => rate === 0));
    this.line.setAttribute('points', points.join(' '));
    this.area.setAttribute('points', [`${first},20`, ...points, '59,20'].join(' '));
  }
}

const links = new Rows(byId('links'), {
  key: link => link.name,
  make: link => new LinkRow(link),
  whenFocusIsLost: () => byId('titles-heading').focus(),
});

const shareBars = new Rows(byId('shares'), {
  key: link => link.name,
  make: () => ({
    element: document.createElement('span'),
    show(link) {
      this.element.className = colourOf(link.name);
      this.element.style.flexGrow = link.share;
      this.element.hidden = !(link.share > 0);
    },
  }),
});

const summaryText = all => {
  const carrying = all.filter(link => link.activity === 'used' || (link.activity === 'idle' && link.share > 0));
  if (carrying.length > 1) return `${carrying.length} links carry the video together.`;
  if (carrying.length === 1) return `${linkTitle(carrying[0])} carries the video alone.`;
  return all.every(link => TROUBLES.has(link.activity)) ? 'No link works at the moment.' : 'The links are at rest.';
};

export const showLinks = ({links: all, titles: open}) => {
  links.show(all);
  shareBars.show(all);
  byId('links-card').hidden = all.length === 0;
  byId('links-empty').hidden = all.length > 0;
  setText(byId('links-empty'), open.length === 0
    ? 'The links appear here as soon as a title is open.'
    : 'No network link leads to the server. The command “tributary-links” says which link lacks what.');
  if (all.length === 0) return setText(byId('links-rate'), '');
  setText(byId('links-summary'), summaryText(all));
  const total = all.reduce((sum, link) => sum + link.rate_kbit_s, 0);
  setText(byId('links-rate'), total < 0.001 ? '' : rateText(total));
};

// One scale for all links, so that they can be compared.
export const drawRates = all => {
  const rows = all.map(link => links.rows.get(link.name));
  rows.forEach((row, i) => row.noteRate(all[i].rate_kbit_s));
  const most = Math.max(1, ...rows.flatMap(row => row.rates));
  for (const row of rows) row.draw(most);
};
