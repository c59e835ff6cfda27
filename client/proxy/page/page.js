// The page of tributary-proxy: shows the status that the proxy sends once a second, and sends what the user chooses.
// All addresses are relative to the page, whose path holds the token. Text of others only becomes text, never markup.

import {byId, setText} from './elements.js';
import {drawRates, showLinks} from './links.js';
import {focusOpened} from './opening.js';
import {MOVED, NO_ANSWER} from './requests.js';
import {showTitles} from './titles.js';
import {showWaits} from './waits.js';

const showStatus = status => {
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
