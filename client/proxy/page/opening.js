// Opening a title.

import {byId, setText, tell} from './elements.js';
import {post} from './requests.js';
import {nameOf, titles} from './titles.js';

const openForm = byId('open');
let opened = null;  // the number of a title that the user opened, and the status does not show yet

const showAddressError = sentence => {
  setText(byId('address-error'), sentence);
  if (sentence) byId('address').setAttribute('aria-invalid', 'true');
  else byId('address').removeAttribute('aria-invalid');
};

const addressFault = address => {
  if (!address) return 'Paste the address of a video first.';
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(address) && !/^https?:/i.test(address))
    return 'Only addresses with https:// or http:// can be opened.';
  return URL.canParse(address) || URL.canParse(`https://${address}`) ? '' : 'This is no address. Copy it once more, as a whole.';
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
export const focusOpened = () => {
  const card = titles.rows.get(opened);
  if (!card) return;
  opened = null;
  tell(`${nameOf(card.title)} is open.`);
  const {activeElement} = document;
  if (activeElement === document.body || openForm.contains(activeElement)) card.focus();
};
