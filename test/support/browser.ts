import chromium from '@sparticuz/chromium'
import { chromium as playwright, type Browser } from 'playwright-core'

/** A real browser that needs nothing installed; whoever starts it closes it. It plays sound, to nowhere. */
export async function startBrowser(): Promise<Browser> {
  // These two save memory where functions are rented, and break audio and workers elsewhere.
  const args = chromium.args.filter(arg => arg !== '--single-process' && arg !== '--no-zygote')
  return playwright.launch({
    executablePath: await chromium.executablePath(),
    args: [...args, '--autoplay-policy=no-user-gesture-required', '--mute-audio'],
    headless: true,
  })
}
