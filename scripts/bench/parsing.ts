import { knownAfter } from '../../test/support/known-episodes'
import { digestFeed } from '../../src/server/feeds/apply/digest'
import { median } from '../../test/support/measure'
import { largeFeed } from './library'

type Report = (name: string, value: string, wanted?: string) => void

/** Reading a feed of 500 episodes, in this process: all of them new, and none changed. */
export function measureParsing(report: Report) {
  const body = new TextEncoder().encode(largeFeed('Parse'))
  const request = {
    body,
    contentType: '',
    contentEncoding: '',
    address: 'https://pod.example/',
    maxBytes: 64e6,
    known: [],
  }
  const rate = (run: () => unknown) => {
    run()
    const times = Array.from({ length: 9 }, () => {
      const began = performance.now()
      run()
      return performance.now() - began
    })
    return body.byteLength / 1e6 / (median(times) / 1000)
  }
  const first = digestFeed(request)
  const known = first.ok ? knownAfter(first.digest) : []
  report('parse, compare and sanitise a feed of 500 new episodes', `${rate(() => digestFeed(request)).toFixed(1)} MB/s`)
  report('the same feed when nothing changed', `${rate(() => digestFeed({ ...request, known })).toFixed(1)} MB/s`)
}
