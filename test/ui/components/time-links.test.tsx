import { expect, test } from 'bun:test'
import { linkTimes, secondsOfLink } from '../../../src/ui/library/episodes/time-links'

/** The links that stand in notes, as their text and second. */
function linksIn(html: string, longest = 0) {
  const body = document.createElement('div')
  body.innerHTML = linkTimes(html, { longest, nameOf: time => `Play from ${time}` })
  return [...body.querySelectorAll('[data-seconds]')].map(link => [link.textContent, secondsOfLink(link)])
}

test('times in notes become links that play from there', () => {
  expect(linksIn('<p>Begins at 0:45, letters at (12:20), and the end at 1:02:03.</p><p>00:07 Hello</p>')).toEqual([
    ['0:45', 45],
    ['12:20', 740],
    ['1:02:03', 3723],
    ['00:07', 7],
  ])
})

test('what only looks like a time stays text: dates, ratios, verses of long numbers, addresses', () => {
  expect(linksIn('<p>2026-11-22T08:30:00.5 · 16:9:1:2 · 3:75 · 12:345 · 1.5:30 · 10:20/3</p>')).toEqual([])
})

test('a time beyond the end of the episode is none of its moments', () => {
  expect(linksIn('<p>01:00 and 20:15, which is prime time</p>', 600)).toEqual([['01:00', 60]])
})

test('links, code and the rest of the notes stay as they are', () => {
  const html = '<p>At <a href="https://example.com/">12:20</a>, <code>13:20</code> &amp; 14:20</p>'
  expect(linksIn(html)).toEqual([['14:20', 860]])
  const linked = linkTimes(html, { longest: 0, nameOf: time => time })
  expect(linked).toContain('<a href="https://example.com/">12:20</a>, <code>13:20</code> &amp; ')
  expect(secondsOfLink(document.body)).toBe(null)
})
