// Playing in the page.

import {byId, setText} from './elements.js';

export const NAMES_OF_KINDS = {hls: 'HLS', dash: 'DASH', file: 'file'};
const TYPES_OF_KINDS = {hls: 'application/vnd.apple.mpegurl', dash: 'application/dash+xml'};
const OTHER_PLAYERS = {hls: 'mpv, VLC and other players of HLS', dash: 'mpv, VLC and other players of DASH', file: 'mpv, VLC and other players'};
export const otherPlayers = kind => OTHER_PLAYERS[kind] ?? 'Other players';

// Of a file, nobody can tell before it plays.
const browserPlays = kind =>
  kind === 'file' || (kind in TYPES_OF_KINDS && byId('video').canPlayType(TYPES_OF_KINDS[kind]) !== '');

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

export const playsHere = async kind => browserPlays(kind) || hasLibrary(kind);

// The page may have been opened by another name of this machine than the local address has.
const fromThisPage = local => {
  const {pathname, search} = new URL(local, location.href);
  return new URL(pathname + search, location.origin).href;
};

export class Player {
  // `whenClosed` is told the number of the title that played.
  constructor(whenClosed) {
    this.whenClosed = whenClosed;
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
    this.whenClosed(number);
  }

  // The title was closed.
  ended() {
    this.stop();
    this.say('This title was closed. Open its address again to go on.');
  }
}
