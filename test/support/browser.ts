import chromium from '@sparticuz/chromium'
import { chromium as playwright, type Browser } from 'playwright-core'

let shared: Promise<Browser> | null = null

/** A real browser that needs nothing installed, started once for a test file. It plays sound, to nowhere. */
export function startBrowser(): Promise<Browser> {
  shared ??= launch()
  return shared
}

async function launch(): Promise<Browser> {
  // These two save memory where functions are rented, and break audio and workers elsewhere.
  const args = chromium.args.filter(arg => arg !== '--single-process' && arg !== '--no-zygote')
  return playwright.launch({
    executablePath: await chromium.executablePath(),
    args: [...args, '--autoplay-policy=no-user-gesture-required', '--mute-audio'],
    headless: true,
  })
}
