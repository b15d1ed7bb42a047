import chromium from '@sparticuz/chromium'
import { chromium as playwright, type Browser, type Page } from 'playwright-core'

// The first two save memory where functions are rented, and break audio and workers elsewhere. The rest has a graphics
// card played by the processor, which costs more than all pages together.
const unwanted = new Set([
  '--single-process',
  '--no-zygote',
  '--in-process-gpu',
  '--use-gl=angle',
  '--use-angle=swiftshader',
])

/** A real browser that needs nothing installed; whoever starts it closes it. It plays sound, to nowhere. */
export async function startBrowser(more: readonly string[] = [], less: readonly string[] = []): Promise<Browser> {
  const args = chromium.args.filter(arg => !unwanted.has(arg) && !less.includes(arg))
  return playwright.launch({
    executablePath: await chromium.executablePath(),
    args: [...args, '--autoplay-policy=no-user-gesture-required', '--mute-audio', '--disable-gpu', ...more],
    headless: true,
  })
}

/** Waits until closed layers have left the history: a page that is asked for before would be given up again. */
export const layersGone = (page: Page) =>
  page.waitForFunction(() => {
    const { layers = 0 } = (history.state ?? {}) as { layers?: number }
    return layers <= document.querySelectorAll('dialog[open], :popover-open').length
  })
