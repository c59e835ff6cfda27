// What the page asks of the proxy.

export const NO_ANSWER = 'The proxy does not answer. Start tributary-proxy again.';
export const MOVED = 'The proxy runs under another address now. Open the address that it prints.';

// What the proxy answers. Otherwise throws an Error with a sentence for the user.
export const post = async (path, body) => {
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
