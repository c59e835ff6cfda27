// When players waited, and why.

import {byId, fromTemplate, setText, tell} from './elements.js';
import {spanText} from './quantities.js';
import {nameOf} from './titles.js';

const MOST_WAITS = 20;
const namesOfTitles = new Map();  // also of those that are closed
let waitsShown = null;

const waitText = ({title, seconds}) => `${namesOfTitles.get(title) ?? `Title ${title}`} waited ${spanText(seconds)}`;

// The proxy sends the newest last, and the page shows it first.
export const showWaits = ({waits, titles: open}) => {
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
