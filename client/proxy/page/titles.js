// The titles that are open.

import {showChannels} from './channels.js';
import {byId, fromTemplate, Rows, setText, tell} from './elements.js';
import {NAMES_OF_KINDS, otherPlayers, Player, playsHere} from './player.js';
import {countText, sizeText} from './quantities.js';
import {post} from './requests.js';

// Manifests of many films have the same file name, so the folder goes with it.
export const nameOf = title => {
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
      error: part('error'), local: part('local'), copy: part('copy'), elsewhere: part('elsewhere'), play: part('play'), channels: part('channels'),
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
    if (title.kind === 'list' && !before) showChannels(this.channels, title.local, this.error);
    const watching = title.players === 0 ? 'No player has it open' : countText(title.players, 'player', 'players');
    const chooses = title.not_led ? ` · The player chooses the quality: ${title.not_led}` : '';
    const list = 'A list of channels. Each becomes a title when a player asks for it.';
    setText(this.facts, title.kind === 'list' ? list : `${watching} · ${sizeText(title.bytes)} delivered${chooses}`);
    if (title.kind !== 'list') setText(this.error, this.failure || title.error);
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

const player = new Player(number => {
  const card = titles.rows.get(number);
  if (card) card.focus();
  else byId('titles-heading').focus();
  showTitles(latest);
});
export const titles = new Rows(byId('titles'), {
  key: title => title.number,
  make: title => new TitleCard(title),
  whenFocusIsLost: () => byId('titles-heading').focus(),
});

let latest = {titles: []};

export const showTitles = status => {
  latest = status;
  titles.show(status.titles);
  byId('titles').hidden = status.titles.length === 0;
  byId('titles-empty').hidden = status.titles.length > 0;
  setText(byId('titles-empty'), NO_TITLES);
  if (player.number !== null && !titles.rows.has(player.number)) player.ended();
};
