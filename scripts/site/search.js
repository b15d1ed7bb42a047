// Finds parts of the documents that contain every word, best first: in a heading, then in a title, then in a text.
const field = document.querySelector('header input')
const found = document.querySelector('#found')
let index = null

/** A failed attempt is forgotten, so that the next letter tries again. */
function load() {
  index ??= fetch('search.json').then(response => response.json())
  index.catch(() => (index = null))
  return index
}

function rank({ title, heading, text }, words) {
  let sum = 0
  for (const word of words) {
    const points =
      (heading.toLowerCase().includes(word) ? 8 : 0) +
      (title.toLowerCase().includes(word) ? 4 : 0) +
      (text.toLowerCase().includes(word) ? 1 : 0)
    if (points === 0) return 0
    sum += points
  }
  return sum
}

async function search() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean)
  found.hidden = words.length === 0
  try {
    show(words, words.length > 0 ? await load() : [])
  } catch {
    found.textContent = 'The search can’t be loaded. Check your connection, and type on.'
  }
}

function show(words, entries) {
  const hits = entries
    .map(entry => ({ entry, points: rank(entry, words) }))
    .filter(({ points }) => points > 0)
    .toSorted((one, other) => other.points - one.points)
    .slice(0, 12)
  found.replaceChildren(
    ...hits.map(({ entry: { page, id, title, heading } }) => {
      const link = document.createElement('a')
      link.href = `${page}#${id}`
      link.textContent = heading === title ? title : `${title} › ${heading}`
      const item = document.createElement('li')
      item.append(link)
      return item
    }),
  )
  if (words.length > 0 && hits.length === 0) found.textContent = 'Nothing found'
}

field.addEventListener('input', search)
field.form.addEventListener('submit', event => {
  event.preventDefault()
  found.querySelector('a')?.click()
})
addEventListener('keydown', event => {
  if (event.key === 'Escape') found.hidden = true
  if (event.key !== '/' || event.target === field) return
  event.preventDefault()
  field.focus()
})
if (matchMedia('(width < 56rem)').matches) document.querySelector('.pages').open = false
