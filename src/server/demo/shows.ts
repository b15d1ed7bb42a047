export type Show = {
  name: string
  author: string
  about: string
  ground: readonly [number, number, number]
  ink: readonly [number, number, number]
  titles: readonly string[]
  everyDays: number
  count: number
}

/** Invented podcasts, to look at. */
export const shows: readonly Show[] = [
  {
    name: 'Lighthouse Radio',
    author: 'Mara Field',
    about: 'Stories from the coast, told by those who keep the lights burning.',
    ground: [24, 78, 99],
    ink: [250, 214, 137],
    everyDays: 7,
    count: 84,
    titles: [
      'The keeper who counted ships',
      'Fog signals, and how to sleep through them',
      'A lamp of a thousand candles',
      'Letters in a bottle: what the sea sends back',
      'The last supply boat of the year',
    ],
  },
  {
    name: 'The Slow Kitchen',
    author: 'Ida Brandt and Tomas Rey',
    about: 'Two cooks, one pot, no hurry.',
    ground: [176, 74, 48],
    ink: [255, 236, 209],
    everyDays: 14,
    count: 41,
    titles: [
      'Bread that rises while you are out',
      'Everything you can do with an onion',
      'Stock, patiently',
      'A lentil for every week',
    ],
  },
  {
    name: 'Orbital',
    author: 'Nights at the Observatory',
    about: 'What happened above us this week.',
    ground: [38, 36, 84],
    ink: [166, 196, 255],
    everyDays: 3,
    count: 210,
    titles: [
      'A comet nobody ordered',
      'How to weigh a moon',
      'The telescope that looked the other way',
      'Dust, and why we love it',
    ],
  },
  {
    name: 'Small Gardens',
    author: 'Priya Nair',
    about: 'Growing things where there is hardly any room.',
    ground: [48, 99, 61],
    ink: [219, 240, 188],
    everyDays: 7,
    count: 66,
    titles: ['Peas on a balcony', 'What the snails want', 'Compost for one'],
  },
  {
    name: 'Debugging History',
    author: 'Jonas Weil',
    about: 'Great mistakes of engineering, and the people who found them.',
    ground: [52, 58, 64],
    ink: [255, 140, 105],
    everyDays: 10,
    count: 95,
    titles: ['The bridge that sang', 'One bit too few', 'A screw in the wrong drawer', 'Midnight at the switchboard'],
  },
  {
    name: 'Morning Tide',
    author: 'Harbour News',
    about: 'The day in ten minutes, before the first coffee.',
    ground: [227, 167, 66],
    ink: [70, 45, 20],
    everyDays: 1,
    count: 400,
    titles: ['What the ferry carried', 'A vote, a storm and a goat', 'The market opens'],
  },
  {
    name: 'Sprache am Rand',
    author: 'Elif Aydın',
    about: 'Über Wörter, die es fast nicht gegeben hätte.',
    ground: [120, 60, 110],
    ink: [245, 215, 235],
    everyDays: 14,
    count: 33,
    titles: [
      'Donaudampfschifffahrtsgesellschaftskapitänsmützen und andere Kleinigkeiten',
      'Warum wir „eigentlich“ sagen',
    ],
  },
  {
    name: 'Chess in the Park',
    author: 'The Tuesday Table',
    about: 'Openings, endings, and the talk in between.',
    ground: [140, 120, 90],
    ink: [40, 34, 26],
    everyDays: 7,
    count: 57,
    titles: ['The bishop nobody saw', 'Losing well', 'A draw in the rain'],
  },
  {
    name: 'Night Bus',
    author: 'Lena Okafor',
    about: 'A serial in ten parts: who was on the last bus, and who was not.',
    ground: [28, 28, 34],
    ink: [120, 220, 190],
    everyDays: 7,
    count: 10,
    titles: ['Part one: the stop', 'Part two: the driver', 'Part three: the empty seat'],
  },
  {
    name: 'A Podcast with a Remarkably Long Name That Somebody Thought Was a Good Idea at the Time',
    author: 'Committee',
    about: 'Exactly what it says.',
    ground: [90, 110, 140],
    ink: [230, 236, 245],
    everyDays: 30,
    count: 12,
    titles: ['Introductions, continued'],
  },
  {
    name: 'Quiet Machines',
    author: 'Workshop Collective',
    about: 'Looms, clocks, presses: how they work, and what they sound like.',
    ground: [100, 84, 160],
    ink: [240, 226, 120],
    everyDays: 10,
    count: 48,
    titles: ['A clock without hands', 'The loom that learned', 'Paper, scissors, press'],
  },
  {
    name: 'Off the Record Shelf',
    author: 'Vinyl & Co.',
    about: 'One record an episode, both sides.',
    ground: [190, 52, 85],
    ink: [255, 226, 232],
    everyDays: 7,
    count: 77,
    titles: ['Side B first', 'The crackle is the point'],
  },
]

/** With chapters that lie within the downloaded files. */
export const notes = (
  about: string,
  title: string,
) => `<p>${about}</p><p>In this episode: <strong>${title}</strong>. We talk about what was
found, what was lost, and why it matters more than it seems.</p><ul><li>00:00 Welcome</li><li>00:20 A word from our sponsor</li>
<li>00:35 The story begins</li><li>01:10 What the archive says</li><li>01:40 Letters</li></ul><p>Read more on <a href="https://example.com/notes">our page</a>, or write to
<a href="mailto:hello@example.com">hello@example.com</a>.</p>`

export const transcript = `WEBVTT

00:00:00.000 --> 00:00:06.000
<v Mara>Welcome to the lighthouse. The lamp is lit, and the kettle is on.

00:00:06.000 --> 00:00:14.000
<v Mara>Tonight we ask who counts the ships when nobody is looking.

00:00:14.000 --> 00:00:21.000
<v Tom>My grandfather did. He had a notebook for every winter.

00:00:21.000 --> 00:00:30.000
<v Tom>Forty-one notebooks, and in none of them a single word about the weather.
`
