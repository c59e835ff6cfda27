// The page of tributary-proxy: shows the status that the proxy sends once a second, and sends what the user chooses.
// All addresses are relative to the page, whose path holds the token. Text of others only becomes text, never markup.
'use strict';

const byId = id => document.getElementById(id);

// Only where something changes: a screen reader and a selection stay where they are.
const setText = (element, text) => {
  if (element.textContent !== text) element.textContent = text;
};

// Read by screen readers, without leaving the place where they are.
const tell = sentence => setText(byId('told'), sentence);

// ---- Quantities, written as tributary-play writes them

const rateText = kbits => {
  if (kbits < 999.5) return `${kbits.toFixed(0)} kbit/s`;
  return `${(kbits / 1000).toFixed(kbits < 99950 ? 1 : 0)} Mbit/s`;
};

const sizeText = bytes => {
  if (bytes < 1000) return `${bytes} bytes`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  let size = bytes / 1000;
  while (size >= 999.95 && units.length > 1) {
    size /= 1000;
    units.shift();
  }
  return `${size.toFixed(1)} ${units[0]}`;
};

const spanText = seconds => {
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  return seconds < 119.5 ? `${seconds.toFixed(0)} s` : `${(seconds / 60).toFixed(0)} min`;
};

// Small prices need more places than two: 0.004 for each MB.
const moneyText = money => (money > 0 && money < 0.1 ? String(Number(money.toPrecision(2))) : money.toFixed(2));

const percentText = fraction => `${(100 * fraction).toFixed(0)} %`;

const countText = (count, one, several) => `${count} ${count === 1 ? one : several}`;

// ---- Requests

const NO_ANSWER = 'The proxy does not answer. Start tributary-proxy again.';
const MOVED = 'The proxy runs under another address now. Open the address that it prints.';

// What the proxy answers. Otherwise throws an Error with a sentence for the user.
const post = async (path, body) => {
  let answer;
  try {
    answer = await fetch(path, {
      method: 'POST',
      headers: {'Content-Type': 'application/json'},
      body: JSON.stringify(body),
    });
  } catch {
    throw new Error(NO_ANSWER);
  }
  const said = await answer.json().catch(() => ({}));
  if (answer.ok) return said;
  if (said.error) throw new Error(said.error);
  throw new Error(answer.status === 404 ? MOVED : `The proxy answers with status ${answer.status}. Try it again.`);
};

// ---- Lists

// One row for each item, in the order of the items. A row stays as long as its item does, so that it keeps the focus.
class Rows {
  constructor(list, {key, make, whenFocusIsLost}) {
    Object.assign(this, {list, key, make, whenFocusIsLost, rows: new Map()});
  }

  show(items, ...more) {
    const left = new Map(this.rows);
    items.forEach((item, place) => {
      const key = this.key(item);
      left.delete(key);
      if (!this.rows.has(key)) this.rows.set(key, this.make(item));
      const row = this.rows.get(key);
      const there = this.list.children[place] ?? null;
      if (there !== row.element) this.list.insertBefore(row.element, there);
      row.show(item, ...more);
    });
    for (const [key, row] of left) {
      const hadFocus = row.element.contains(document.activeElement);
      row.element.remove();
      this.rows.delete(key);
      if (hadFocus) this.whenFocusIsLost?.();
    }
  }
}

const fromTemplate = id => byId(id).content.firstElementChild.cloneNode(true);

// ---- Playing in the page

const NAMES_OF_KINDS = {hls: 'HLS', dash: 'DASH'};
const TYPES_OF_KINDS = {hls: 'application/vnd.apple.mpegurl', dash: 'application/dash+xml'};
const OTHER_PLAYERS = {hls: 'mpv, VLC and other players of HLS', dash: 'mpv, VLC and other players of DASH'};
const otherPlayers = kind => OTHER_PLAYERS[kind] ?? 'Other players';

const browserPlays = kind => kind in TYPES_OF_KINDS && byId('video').canPlayType(TYPES_OF_KINDS[kind]) !== '';

// Libraries that the proxy may have been built with.
const libraries = {
  hls: {file: 'hls.js', usable: () => Boolean(window.Hls?.isSupported())},
  dash: {file: 'dash.js', usable: () => Boolean(window.dashjs?.supportsMediaSource())},
};

const once = ask => {
  const answers = new Map();
  return kind => {
    if (!answers.has(kind)) answers.set(kind, ask(kind));
    return answers.get(kind);
  };
};

const hasLibrary = once(async kind => {
  if (!(kind in libraries)) return false;
  return fetch(libraries[kind].file, {method: 'HEAD'}).then(answer => answer.ok, () => false);
});

const loadLibrary = once(kind => new Promise(resolve => {
  const script = document.createElement('script');
  script.src = libraries[kind].file;
  script.onload = () => resolve(libraries[kind].usable());
  script.onerror = () => resolve(false);
  document.head.append(script);
}));

const playsHere = async kind => browserPlays(kind) || hasLibrary(kind);

// The page may have been opened by another name of this machine than the local address has.
const fromThisPage = local => {
  const {pathname, search} = new URL(local, location.href);
  return new URL(pathname + search, location.origin).href;
};

class Player {
  constructor() {
    this.section = byId('player');
    this.video = byId('video');
    this.number = null;
    this.library = null;
    byId('player-close').addEventListener('click', () => this.close());
    this.video.addEventListener('error', () => this.videoFailed());
    this.video.addEventListener('playing', () => this.say(''));
  }

  say(sentence) { setText(byId('player-error'), sentence); }

  async play(title, name) {
    this.stop();
    this.number = title.number;
    this.kind = title.kind;
    this.url = fromThisPage(title.local);
    this.say('');
    setText(byId('player-heading'), name);
    document.title = `${name} – Tributary`;
    this.section.hidden = false;
    this.section.scrollIntoView({block: 'nearest'});
    this.video.focus({preventScroll: true});
    if (browserPlays(title.kind)) {
      this.byBrowser = true;
      this.video.src = this.url;
      this.begin();
    } else {
      await this.playByLibrary();
    }
  }

  async playByLibrary() {
    const {number, kind} = this;
    this.byBrowser = false;
    const usable = await hasLibrary(kind) && await loadLibrary(kind);
    if (this.number !== number) return;  // meanwhile another title plays, or none
    if (!usable) {
      this.say(`This browser does not play this title. ${otherPlayers(kind)} open its local address.`);
    } else if (kind === 'hls') {
      this.playByHls();
    } else {
      this.playByDash();
    }
  }

  playByHls() {
    const hls = new window.Hls();
    let recovered = false;
    hls.on(window.Hls.Events.ERROR, (_, {fatal, type}) => {
      if (!fatal) return;
      if (type === window.Hls.ErrorTypes.MEDIA_ERROR && !recovered) {
        recovered = true;
        hls.recoverMediaError();
      } else {
        this.failed(type === window.Hls.ErrorTypes.NETWORK_ERROR ? 'network' : 'media');
      }
    });
    hls.on(window.Hls.Events.MANIFEST_PARSED, () => this.begin());
    hls.loadSource(this.url);
    hls.attachMedia(this.video);
    this.library = {end: () => hls.destroy()};
  }

  playByDash() {
    const dash = window.dashjs.MediaPlayer().create();
    const {events: {ERROR, STREAM_INITIALIZED}, errors} = window.dashjs.MediaPlayer;
    const ofNetwork = Object.keys(errors).filter(name => name.startsWith('DOWNLOAD_ERROR_')).map(name => errors[name]);
    dash.on(ERROR, ({error}) => this.failed(ofNetwork.includes(error?.code) ? 'network' : 'media'));
    dash.on(STREAM_INITIALIZED, () => this.begin());
    dash.initialize(this.video, this.url, false);
    this.library = {end: () => dash.destroy()};
  }

  // A browser that wants to be asked once more shows its button.
  begin() { this.video.play().catch(() => {}); }

  videoFailed() {
    const {error} = this.video;
    if (this.number === null || !error || this.library) return;  // a library says more than the element
    if (this.byBrowser && this.kind in libraries && error.code !== MediaError.MEDIA_ERR_NETWORK) {
      this.video.removeAttribute('src');
      this.playByLibrary();
    } else {
      this.failed(error.code === MediaError.MEDIA_ERR_NETWORK ? 'network' : 'media');
    }
  }

  failed(blame) {
    this.say(blame === 'network'
      ? 'The video does not come. The links tell why; then play it again.'
      : `This browser cannot play this video. ${otherPlayers(this.kind)} open its local address.`);
  }

  stop() {
    this.number = null;
    this.library?.end();
    this.library = null;
    this.video.removeAttribute('src');
    this.video.load();
  }

  close() {
    const {number} = this;
    this.stop();
    this.section.hidden = true;
    document.title = 'Tributary';
    const card = titles.rows.get(number);
    if (card) card.focus();
    else byId('titles-heading').focus();
    showTitles(latest);
  }

  // The title was closed.
  ended() {
    this.stop();
    this.say('This title was closed. Open its address again to go on.');
  }
}

// ---- Titles

// Manifests of many films have the same file name, so the folder goes with it.
const nameOf = title => {
  const parts = URL.canParse(title.address) ? new URL(title.address).pathname.split('/').filter(Boolean) : [];
  if (parts.length < 2 || parts.at(-1) !== title.name) return title.name || title.address;
  try {
    return `${decodeURIComponent(parts.at(-2))}/${title.name}`;
  } catch {
    return `${parts.at(-2)}/${title.name}`;
  }
};

class TitleCard {
  constructor({number}) {
    this.element = fromTemplate('title-template');
    const part = name => this.element.querySelector(`.${name}`);
    Object.assign(this, {
      name: part('name'), live: part('live'), kind: part('kind'), address: part('address'), facts: part('facts'),
      error: part('error'), local: part('local'), copy: part('copy'), elsewhere: part('elsewhere'), play: part('play'),
      close: part('close'), names: this.element.querySelectorAll('.of'), failure: '',
    });
    this.local.id = `local-${number}`;
    part('local-label').htmlFor = this.local.id;
    this.local.addEventListener('focus', () => this.local.select());
    this.copy.addEventListener('click', () => this.copyAddress());
    this.play.addEventListener('click', () => {
      player.play(this.title, nameOf(this.title));
      showTitles(latest);
    });
    this.close.addEventListener('click', () => this.closeTitle());
  }

  show(title) {
    const before = this.title;
    this.title = title;
    const name = nameOf(title);
    setText(this.name, name);
    this.live.hidden = !title.live;
    this.kind.hidden = !(title.kind in NAMES_OF_KINDS);
    setText(this.kind, NAMES_OF_KINDS[title.kind] ?? '');
    setText(this.address, title.address);
    const watching = title.players === 0 ? 'No player has it open' : countText(title.players, 'player', 'players');
    const chooses = title.not_led ? ` · The player chooses the quality: ${title.not_led}` : '';
    setText(this.facts, `${watching} · ${sizeText(title.bytes)} delivered${chooses}`);
    setText(this.error, this.failure || title.error);
    if (title.error && title.error !== before?.error) tell(`${name}: ${title.error}`);
    if (this.local.value !== title.local) this.local.value = title.local;
    this.element.classList.toggle('plays', player.number === title.number);
    setText(this.play.firstElementChild, player.number === title.number ? 'Play from the beginning' : 'Play here');
    for (const hidden of this.names) setText(hidden, name);  // buttons of several titles have the same text
    if (title.kind !== before?.kind) this.showWhereItPlays(title.kind);
  }

  async showWhereItPlays(kind) {
    if (this.shownKind === undefined) this.play.hidden = true;
    const here = await playsHere(kind);
    if (this.title.kind !== kind) return;
    this.shownKind = kind;
    this.play.hidden = !here;
    const reason = `This browser does not play ${NAMES_OF_KINDS[kind]} by itself.`;
    const known = kind in NAMES_OF_KINDS;
    setText(this.elsewhere, here || !known ? '' : `${reason} ${otherPlayers(kind)} open the local address.`);
    if (this.wantsFocus) this.focus();
  }

  // On the first thing to do with the title.
  focus() {
    this.wantsFocus = this.shownKind === undefined;
    if (!this.wantsFocus) (this.play.hidden ? this.copy : this.play).focus();
  }

  async copyAddress() {
    try {
      await navigator.clipboard.writeText(this.title.local);
      setText(this.copy.firstElementChild, 'Copied');
      tell('The local address is copied.');
    } catch {
      this.local.focus();
      this.local.select();
      tell('Press Ctrl+C to copy the local address.');
      setText(this.copy.firstElementChild, 'Press Ctrl+C');
    }
    clearTimeout(this.copied);
    this.copied = setTimeout(() => setText(this.copy.firstElementChild, 'Copy'), 3000);
  }

  async closeTitle() {
    const {number, players} = this.title;
    const name = nameOf(this.title);
    if (players > 0 && !await confirmClosing(name, players)) return;
    try {
      await post('close', {number});
      this.failure = '';
      tell(`${name} is closed.`);
    } catch (failure) {
      this.failure = failure.message;
      tell(failure.message);
    }
    setText(this.error, this.failure);
  }
}

const confirmClosing = (name, players) => new Promise(resolve => {
  const dialog = byId('question');
  const watching = countText(players, 'player plays', 'players play');
  setText(byId('question-text'), `${watching} ${name}, and cannot go on then.`);
  dialog.returnValue = 'keep';
  // The event of the question before may come when this one is open already.
  dialog.onclose = () => {
    if (!dialog.open) resolve(dialog.returnValue === 'close');
  };
  dialog.showModal();
});

const NO_TITLES = 'No title is open. Paste the address of a video above: this page then gives it a local address, ' +
                  'which any player of HLS or DASH on this computer can open.';

const player = new Player();
const titles = new Rows(byId('titles'), {
  key: title => title.number,
  make: title => new TitleCard(title),
  whenFocusIsLost: () => byId('titles-heading').focus(),
});

const showTitles = status => {
  titles.show(status.titles);
  byId('titles').hidden = status.titles.length === 0;
  byId('titles-empty').hidden = status.titles.length > 0;
  setText(byId('titles-empty'), NO_TITLES);
  if (player.number !== null && !titles.rows.has(player.number)) player.ended();
};

// ---- Opening a title

const openForm = byId('open');
let opened = null;  // the number of a title that the user opened, and the status does not show yet

const showAddressError = sentence => {
  setText(byId('address-error'), sentence);
  if (sentence) byId('address').setAttribute('aria-invalid', 'true');
  else byId('address').removeAttribute('aria-invalid');
};

const addressFault = address => {
  if (!address) return 'Paste the address of a video first.';
  if (!/^https?:\/\//i.test(address)) return 'Begin the address with https:// or http://.';
  return URL.canParse(address) ? '' : 'This is no address. Copy it once more, as a whole.';
};

openForm.addEventListener('submit', async event => {
  event.preventDefault();
  const input = byId('address');
  const button = byId('open-button');
  if (button.getAttribute('aria-disabled') === 'true') return;
  const address = input.value.trim();
  const fault = addressFault(address);
  showAddressError(fault);
  if (fault) return input.focus();
  // Not `disabled`, which would lose the focus.
  button.setAttribute('aria-disabled', 'true');
  setText(button, 'Opening…');
  try {
    opened = (await post('open', {url: address})).number;
    input.value = '';
    focusOpened();
  } catch (failure) {
    showAddressError(failure.message);
    input.focus();
  }
  button.removeAttribute('aria-disabled');
  setText(button, 'Open');
});

byId('address').addEventListener('input', () => showAddressError(''));

// The next key then plays the title, or copies its address.
const focusOpened = () => {
  const card = titles.rows.get(opened);
  if (!card) return;
  opened = null;
  tell(`${nameOf(card.title)} is open.`);
  const {activeElement} = document;
  if (activeElement === document.body || openForm.contains(activeElement)) card.focus();
};

// ---- Links

const KINDS_OF_LINKS = {wifi: 'Wi-Fi', cellular: 'Mobile network', ethernet: 'Cable', loopback: 'This computer'};
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
    const capped = link.cost === 'metered' && link.cap_bytes !== null;
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
      for (let sent; sent !== this.wanted;) {
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

const showLinks = ({links: all, titles: open}) => {
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
const drawRates = all => {
  const rows = all.map(link => links.rows.get(link.name));
  rows.forEach((row, i) => row.noteRate(all[i].rate_kbit_s));
  const most = Math.max(1, ...rows.flatMap(row => row.rates));
  for (const row of rows) row.draw(most);
};

// ---- Waits

const MOST_WAITS = 20;
const namesOfTitles = new Map();  // also of those that are closed
let waitsShown = null;

const waitText = ({title, seconds}) => `${namesOfTitles.get(title) ?? `Title ${title}`} waited ${spanText(seconds)}`;

// The proxy sends the newest last, and the page shows it first.
const showWaits = ({waits, titles: open}) => {
  byId('waits').hidden = waits.length === 0;
  byId('waits-empty').hidden = waits.length > 0;
  setText(byId('waits-empty'), 'No player has waited so far.');
  for (const title of open) namesOfTitles.set(title.number, nameOf(title));
  const said = JSON.stringify(waits);
  if (said === waitsShown) return;
  const isNews = waitsShown !== null && waits.length > 0;
  waitsShown = said;
  byId('waits').replaceChildren(...waits.slice(-MOST_WAITS).reverse().map(wait => {
    const row = fromTemplate('wait-template');
    setText(row.querySelector('.what'), waitText(wait));
    setText(row.querySelector('.at'), wait.at);
    setText(row.querySelector('.why'), wait.why);
    return row;
  }));
  if (isNews) tell(`${waitText(waits.at(-1))}. ${waits.at(-1).why}`);
};

// ---- The status

let latest = {version: '', titles: [], links: [], waits: []};

const showStatus = status => {
  latest = status;
  setText(byId('version'), status.version ? `Version ${status.version}` : '');
  showTitles(status);
  showLinks(status);
  drawRates(status.links);
  showWaits(status);
  focusOpened();
};

// Listens to the proxy, and goes on when it runs again. A page that nobody sees keeps no connection: a browser has six
// for one server, and players need them.
class Connection {
  static AGAIN_AFTER = 2000;  // milliseconds
  static SILENT_AFTER = 10000;

  constructor() {
    document.addEventListener('visibilitychange', () => {
      if (document.hidden) this.close();
      else this.open();
    });
    if (!document.hidden) this.open();
  }

  open() {
    this.close();
    this.source = new EventSource('events');
    this.source.addEventListener('status', ({data}) => {
      this.awaitNext();
      setText(byId('trouble'), '');
      showStatus(JSON.parse(data));
    });
    this.source.addEventListener('error', () => this.lost());
    this.awaitNext();
  }

  close() {
    clearTimeout(this.timer);
    this.source?.close();
    this.source = null;
  }

  awaitNext() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.lost(), Connection.SILENT_AFTER);
  }

  async lost() {
    this.close();
    this.timer = setTimeout(() => this.open(), Connection.AGAIN_AFTER);
    const sentence = await this.whyLost();
    if (this.source?.readyState !== EventSource.OPEN) this.showLoss(sentence);
  }

  // A proxy that runs again may have another token, and answers to the old one that there is no such file.
  async whyLost() {
    try {
      const signal = AbortSignal.timeout(Connection.AGAIN_AFTER);
      const answer = await fetch('page.css', {method: 'HEAD', cache: 'no-store', signal});
      return answer.status === 404 ? MOVED : 'The proxy sends no status. This page keeps asking for it.';
    } catch (failure) {
      return failure.name === 'TimeoutError' ? NO_ANSWER : 'The proxy has ended. Start tributary-proxy again.';
    }
  }

  showLoss(sentence) {
    setText(byId('trouble'), sentence);
    setText(byId('links-summary'), 'This was the last status.');
    setText(byId('links-rate'), '');
  }
}

new Connection();
