// The channels of a list.

import {setText, tell} from './elements.js';

const channelsIn = (text, list) => {
  const channels = [];
  let name = '';
  for (const line of text.split('\n')) {
    if (line.startsWith('#EXTINF:')) name = line.slice(line.indexOf(',') + 1);
    else if (line && !line.startsWith('#')) channels.push({name, address: new URL(line, list)});
  }
  return channels;
};

// A channel becomes a title as soon as its address is asked for.
const open = async ({name, address}, failed) => {
  setText(failed, '');
  tell(`Opening ${name}…`);
  const answer = await fetch(address).catch(() => null);
  const why = answer?.ok ? '' : (await answer?.text()) || 'The proxy does not answer.';
  setText(failed, why);
  tell(why || `${name} is open.`);
};

// Fills the element with a button for each channel of the list at `local`, and tells what fails in `failed`.
export const showChannels = async (element, local, failed) => {
  const {pathname} = new URL(local, location.href);
  const list = new URL(pathname, location.origin);  // the page may have been opened by another name of this machine
  const answer = await fetch(list).catch(() => null);
  if (!answer?.ok) return;
  element.replaceChildren(...channelsIn(await answer.text(), list).map(channel => {
    const row = document.createElement('li');
    const button = document.createElement('button');
    button.type = 'button';
    setText(button, channel.name);
    button.addEventListener('click', () => open(channel, failed));
    row.append(button);
    return row;
  }));
  element.hidden = false;
};
