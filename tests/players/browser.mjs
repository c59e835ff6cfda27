// browser.mjs CHROMIUM PROFILE_DIR SECONDS PAGE_URL: shows the page until its video has ended or the time is over,
// and prints what the page says about it as JSON. puppeteer-core is found in the folder from which this file runs.
import {createRequire} from 'node:module';

const puppeteer = createRequire(process.cwd() + '/')('puppeteer-core');
const [chromium, profile, seconds, url] = process.argv.slice(2);

const browser = await puppeteer.launch({
  executablePath: chromium,
  headless: true,
  userDataDir: profile,
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
         '--disable-component-update', '--disable-sync', '--autoplay-policy=no-user-gesture-required',
         '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE 198.51.100.1'],
});
try {
  const page = await browser.newPage();
  const refused = [];
  page.on('response', response => {
    if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`);
  });
  await page.goto(url);
  await page.waitForFunction(() => window.report.ended || window.report.errors.length > 0,
                             {timeout: 1000 * Number(seconds), polling: 200}).catch(() => {});
  console.log(JSON.stringify({...await page.evaluate(() => window.summary()), refused}));
} finally {
  await browser.close();
}
