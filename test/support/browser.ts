import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import chromium from '@sparticuz/chromium'
import { chromium as playwright, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'
import { makeFolder } from './memory-folders'

// The first two save memory where functions are rented, and break audio and workers elsewhere. The rest has a graphics
// card played by the processor, which costs more than all pages together.
const unwanted = new Set([
  '--single-process',
  '--no-zygote',
  '--in-process-gpu',
  '--use-gl=angle',
  '--use-angle=swiftshader',
])

/**
 * Names the fonts that come with the browser's package as the only ones, so that a page is as wide on a machine with a
 * hundred fonts as on one without any.
 */
function bundledFonts(): string {
  const fonts = join(tmpdir(), 'fonts')
  const folder = makeFolder('template')
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'fonts.conf')
  const dirs = `<dir>${fonts}</dir><cachedir>${folder}/cache</cachedir>`
  writeFileSync(file, `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>${dirs}</fontconfig>`)
  return file
}
let fonts: string | null = null

/**
 * Pages of tests live for a moment: what the engine spends on code that would run a thousand times is lost, and takes a
 * tenth of all the time of the processor.
 */
const shortLived = '--js-flags=--no-opt --no-maglev --max-lazy'

type Workers = NonNullable<BrowserContextOptions['serviceWorkers']>

/**
 * A real browser that needs nothing installed; whoever starts it closes it. It plays sound, to nowhere. `workers`: what
 * its contexts do unless they say so themselves. The application's worker fetches two hundred files for each new
 * context, and takes as long as most tests do.
 */
export async function startBrowser(
  more: readonly string[] = [],
  less: readonly string[] = [],
  workers: Workers = 'block',
): Promise<Browser> {
  const args = chromium.args.filter(arg => !unwanted.has(arg) && !less.includes(arg))
  // Unpacks its fonts, too.
  const executablePath = await chromium.executablePath()
  const browser = await playwright.launch({
    executablePath,
    env: { ...process.env, FONTCONFIG_FILE: (fonts ??= bundledFonts()) },
    args: [...args, '--autoplay-policy=no-user-gesture-required', '--mute-audio', '--disable-gpu', shortLived, ...more],
    headless: true,
  })
  browser.on('context', context => context.on('page', printTroubles))
  const newContext = browser.newContext.bind(browser)
  browser.newContext = async (options = {}) => {
    const context = await newContext({ serviceWorkers: workers, ...options })
    if (workers === 'block' && !options.serviceWorkers) await context.addInitScript(haveWorker)
    return context
  }
  return browser
}

/** A page whose worker keeps the code of all parts does not load that again; runs in the page. */
function haveWorker() {
  if ('serviceWorker' in navigator) navigator.serviceWorker.getRegistration = async () => ({}) as never
}

/** Prints what a test that fails may have failed by: errors of a page, and requests that broke off or were refused. */
function printTroubles(page: Page) {
  const print = (text: string) => console.error(`  [page] ${text}`)
  page.on('pageerror', error => print(String(error)))
  page.on('crash', () => print(`${page.url()} crashed`))
  page.on('requestfailed', request => {
    const reason = request.failure()?.errorText ?? ''
    if (reason !== 'net::ERR_ABORTED') print(`${reason} ${request.method()} ${request.url()}`)
  })
  page.on('response', response => {
    if (response.status() >= 500 || response.status() === 429) print(`${response.status()} ${response.url()}`)
  })
}

/** Waits until closed layers have left the history: a page that is asked for before would be given up again. */
export const layersGone = (page: Page) =>
  page.waitForFunction(() => {
    const { layers = 0 } = (history.state ?? {}) as { layers?: number }
    return layers <= document.querySelectorAll('dialog[open], :popover-open').length
  })
