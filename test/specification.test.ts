import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

// The sentences of sections 4, 5, 7, 8 and 9 of the specification, each with the tests that hold it. Those that the
// product departs from are rows of docs/specification.md.

const root = join(import.meta.dir, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

type Held = readonly [file: string, ...tests: string[]]
type Sentence = readonly [section: string, sentence: string, ...held: Held[]]

const accounts = 'test/browser/accounts.test.ts'
const singleSignOn = 'test/browser/single-sign-on.test.ts'
const playerPage = 'test/browser/player.test.ts'
const interfacePage = 'test/browser/interface.test.ts'
const browser = 'test/ui/state/browser.test.ts'
const session = 'test/ui/state/session.test.ts'
const administration = 'test/ui/state/administration.test.ts'
const editor = 'test/ui/state/playlist-editor.test.ts'
const live = 'test/ui/state/live.test.ts'
const opmlImport = 'test/ui/state/opml-import.test.ts'
const player = 'test/ui/playback/player.test.ts'
const position = 'test/ui/playback/position.test.ts'
const languages = 'test/ui/components/languages.test.tsx'
const parts = 'test/ui/components/specification.test.tsx'
const locales = 'test/ui/locales.test.ts'
const shared = 'test/ui/shared.test.ts'
const socket = 'test/server/http/socket.test.ts'
const passwords = 'test/server/accounts/passwords.test.ts'
const calls = (name: string) => `test/server/http/specification/${name}.test.ts`

const invited = [
  accounts,
  'an admin invites, a stranger signs up by the link, and is what the invitation said',
] as const
const forTheTab = [
  accounts,
  'without remember-me the password is kept for the tab, every call carries it, and it goes with the last tab',
] as const
const remembered = [
  accounts,
  'a wrong password is told in its box; remembered, a new tab is signed in; logging out leaves nothing',
] as const
const renewed = [
  singleSignOn,
  'sign in, be renewed before it ends, through new keys of the provider, and sign out',
  'without refresh tokens it is renewed in a frame of our own',
] as const
const refused = [singleSignOn, 'a login that the provider refuses is told, and may be tried again'] as const
const speeds = [
  playerPage,
  'speeds go round as listed, the volume from 0 to 300, sliders by 1 and 10, and forward acts before the end alone',
] as const
const sought = [
  player,
  'seeking stays within the episode, and skipping forward acts only where it stays before the end',
] as const
const entering = [
  parts,
  'a sign-in needs a user name and a password, and leads to / after a tenth of a second',
] as const
const texts = [locales, 'the texts and keys that others rely on are there to the letter'] as const
const saved = [position, 'the position is saved on pause, on seek, at the end, and every fifteen seconds'] as const
const notices = [
  administration,
  'notices come first, go once the server has confirmed it, and an event does not double one',
] as const

const states: readonly Sentence[] = [
  [
    '4',
    'an invite is pending, accepted or expired, by its acceptance and its expiry',
    [administration, 'invitations are filtered by their state, and a new one stands first'],
  ],
  ['4', 'the invite page is loading, then loaded, and keeps its indicator where the invite cannot be had', invited],
  [
    '4',
    'the playlist editor creates under the id -1 and updates any other playlist',
    [editor, 'a new playlist is named, filled and created', 'a playlist that exists is replaced, in its new order'],
    texts,
  ],
  [
    '4',
    'an episode is downloaded from offlineAvailable on, and no longer from deletedPodcastEpisodeLocally on',
    [
      live,
      'an event changes the row of its episode, and no other',
      'every event is passed to the parts that it concerns',
    ],
    [socket, 'the socket tells of a new podcast, its episodes on the disk, and their way there'],
  ],
  [
    '4',
    'without stored credentials the page redirects to /login',
    [session, 'a browser without a password is asked for one, and the server for nothing'],
    [accounts, 'signing in leads to where one was going, a moment of an episode included; after logging out, home'],
  ],
  [
    '4',
    'stored credentials are base64 of username:password, and are decoded and sent as a Basic header',
    [
      browser,
      'a remembered password is in the local storage, another one in that of the session, and only one of them',
    ],
    forTheTab,
  ],
  ['4', 'credentials with remember-me are kept in local storage', remembered],
  ['4', 'credentials without remember-me are kept for the tab alone', forTheTab],
  ['4', 'a sign-in leads to / after about 100 ms', entering],
  ['4', 'with OIDC configured and nobody signed in, the page redirects to /login', renewed],
  [
    '4',
    'the OIDC session is loading, then authenticated or not, and is cleared by a sign-out',
    renewed,
    [session, 'signing out with a provider signs out there, too, which leads away from this page'],
  ],
  ['4', 'sign-in, sign-out and silent renewal are busy meanwhile, and a failure is recorded', refused],
  [
    '4',
    'an address with a code or error and a state is processed at the start',
    [browser, 'an answer of the provider is known by its state and its code or error'],
  ],
  [
    '4',
    'the token is renewed under 70 seconds, checked every 60, and sent as a bearer token',
    renewed,
    [session, 'a token that is refused is renewed and tried again'],
  ],
  [
    '4',
    'logging out signs out at the provider, or clears the credentials from both storages',
    [session, 'signing out forgets here first, then ends the session by the old credentials, and goes home'],
    remembered,
    renewed,
  ],
  ['4', 'a notification is removed once the server has confirmed its dismissal', notices],
  [
    '4',
    'all notifications are cleared at once, each of them dismissed',
    [administration, 'a notice that arrives while all are cleared stays'],
  ],
  [
    '4',
    'play toggles, and a pause saves the position',
    saved,
    ['test/ui/playback/rules.test.ts', 'every key does what it says while something plays'],
  ],
  [
    '4',
    'an episode that ends is recorded with its total time',
    [playerPage, 'an episode that ends is recorded with its whole length, and the next in the queue begins'],
  ],
  ['4', 'the speed goes through eight rates and begins anew', speeds, [shared, 'the playback rates cycle as listed']],
  ['4', 'the volume icon mutes and unmutes', speeds],
  [
    '4',
    'the theme is that of the system, light or dark, and the class dark follows it',
    [browser, 'the theme follows the system until one is chosen, and then stays'],
    [interfacePage, 'the theme is kept, and follows the system again when told to'],
  ],
  [
    '4',
    'the sidebar is collapsed or expanded',
    [browser, 'a wide page remembers whether its sidebar is whole or a rail'],
    [
      interfacePage,
      'below 768 px the menu has every entry in its order, and an entry, a tap beside it and its button close it',
    ],
  ],
  [
    '4',
    'the seven events of the socket are received, and opmlError marks the import as failed',
    [live, 'every event is passed to the parts that it concerns'],
    [opmlImport, 'events move the import on, and note what failed'],
  ],
]

const rules: readonly Sentence[] = [
  ['5', 'a sign-in needs a username and a password', entering],
  [
    '5',
    'a sign-up needs a username, and the server alone judges the password',
    [parts, 'a sign-up needs a user name, and leaves the password to the server'],
    invited,
  ],
  [
    '5',
    'a password has at least 8 characters, a number, a lowercase and an uppercase letter',
    [passwords, 'a password is weak without a number, a lower-case or an upper-case letter, or with seven characters'],
  ],
  [
    '5',
    'days to keep and prefill are whole numbers',
    [interfacePage, 'a number is saved once its field is left; one that is not possible stays, with the reason'],
    [calls('settings'), 'PUT /api/v1/settings'],
  ],
  [
    '5',
    'an empty password is left out of the saved profile',
    [parts, 'a password that is left empty is not part of what the profile saves'],
  ],
  ['5', 'the roles are admin, user and uploader', [parts, 'the roles to choose from are admin, user and uploader']],
  [
    '5',
    'the volume stays between 0 and 300 percent',
    speeds,
    [player, 'the speed cycles and is remembered, and the volume stays between 0 and 300'],
  ],
  ['5', 'seeking stays between 0 and the duration', sought],
  [
    '5',
    'skipping forward acts only where it stays before the end',
    sought,
    speeds,
    [
      player,
      'skipping forward near the end leaves a paused episode alone, and an episode of unknown length has no end',
    ],
  ],
  [
    '5',
    'a detected language that looks like a script is discarded',
    [languages, 'a wish that is no known language is passed over, whatever it holds'],
    [
      interfacePage,
      'languages: found out as agreed, chosen by their own names, kept in this browser, and no script among them',
    ],
  ],
  ['5', 'sliders step by 1, and by 10 with page keys or shift', speeds],
]

const call = (file: string, name: string): Sentence => ['7', name, [calls(file), name]]
const api: readonly Sentence[] = [
  ...[
    'POST /api/v1/login',
    'GET /api/v1/sys/config',
    'GET /api/v1/users/me',
    'GET /api/v1/users',
    'POST /api/v1/users/',
    'DELETE /api/v1/users/{username}',
    'PUT /api/v1/users/{username}/role',
    'PUT /api/v1/users/{username}',
    'GET /api/v1/invites',
    'POST /api/v1/invites',
    'GET /api/v1/invites/{invite_id}',
    'GET /api/v1/invites/{invite_id}/link',
    'DELETE /api/v1/invites/{invite_id}',
  ].map(name => call('accounts', name)),
  ...[
    'GET /api/v1/playlist',
    'GET /api/v1/playlist/{playlist_id}',
    'POST /api/v1/playlist',
    'PUT /api/v1/playlist/{playlist_id}',
    'DELETE /api/v1/playlist/{playlist_id}',
    'GET /api/v1/tags',
    'PUT /api/v1/tags/{tag_id}',
    'DELETE /api/v1/tags/{tag_id}',
  ].map(name => call('lists', name)),
  ...[
    'GET /api/v1/notifications/unread',
    'PUT /api/v1/notifications/dismiss',
    'GET /api/v1/settings',
    'PUT /api/v1/settings',
    'PUT /api/v1/settings/runcleanup',
    'GET /api/v1/settings/opml/{type_of}',
  ].map(name => call('settings', name)),
  ...[
    'GET /api/v1/podcasts',
    'DELETE /api/v1/podcasts/{id}',
    'GET /api/v1/podcasts/available/gpodder',
    'POST /api/v1/podcasts/feed',
    'GET /api/v1/podcasts/{id}',
    'GET /api/v1/podcasts/episode/{id}',
    'the progress save (POST /api/v1/podcasts/episode)',
  ].map(name => call('podcasts', name)),
  [
    '7',
    'the current user is asked for only where people sign in',
    [session, 'a server that asks nobody lets everybody do everything'],
  ],
  [
    '7',
    'the history is read on skipping, for an episode without one, and where the duration is unknown',
    sought,
    [position, 'an episode without history asks the server for it, and starts at 0 if it was never played'],
    [player, 'an audio of unknown length takes its total from the server'],
  ],
  ['7', 'a new account is announced and leads to /, a failing one shows an error', invited],
  ['7', "an invite's link is copied to the clipboard", invited],
  ['7', 'a tag is saved on blur', [parts, 'a tag is saved with its name and colour when its field is left']],
  ['7', 'the progress is saved on pause, seek and end', saved],
  [
    '7',
    'basic auth sends its header on subsequent requests, OIDC a bearer token',
    forTheTab,
    [session, 'a token that is refused is renewed and tried again'],
  ],
  ['7', 'the provider is called for sign-in, sign-out, revocation and silent renewal', renewed],
  [
    '7',
    'a new API key is a random UUID without dashes, generated in the browser',
    [accounts, 'whoever changes name and password stays signed in, and finds an API key to copy'],
  ],
]

const errors: readonly Sentence[] = [
  ['8', 'a refused sign-in is told under error-authenticating', remembered, texts],
  ['8', 'users and invites that cannot be loaded show the not-admin block', invited],
  ['8', 'a failing sign-up shows the toast of a weak password, and the user stays', invited],
  ['8', 'an invite that cannot be had leaves the page loading', invited],
  [
    '8',
    'an OPML error marks the progress as failed and keeps the message',
    [opmlImport, 'events move the import on, and note what failed'],
  ],
  ['8', 'failures of single sign-on have their texts', texts, refused],
  ['8', 'the texts for users are as specified', texts],
  ['8', 'successes have their notices', texts],
]

const constants: readonly Sentence[] = [
  ['9', 'rates, steps of 30 seconds, and a volume from 0 to 300 percent', speeds, sought],
  ['9', 'times are hh:mm:ss, without hours that are zero', [shared, 'durations hide hours that are not there'], speeds],
  ['9', 'at most four notices are shown', [browser, 'at most four notices are shown, each once, the latest last']],
  ['9', 'the notice of a copied invite link goes after 2 seconds', invited],
  ['9', 'a token is renewed under 70 seconds, checked every 60', renewed],
  ['9', 'a sign-in leads on after 100 ms', entering],
  [
    '9',
    'the playlist wizard has three steps',
    [
      editor,
      'a new playlist is named, filled and created',
      'a playlist without a name goes no further, and the first step has none before it',
    ],
  ],
  [
    '9',
    'phones end at 768 px',
    [
      interfacePage,
      'below 768 px the menu has every entry in its order, and an entry, a tap beside it and its button close it',
    ],
  ],
  [
    '9',
    'languages are detected in order, fall back to English, and are kept in local storage',
    [
      languages,
      'the address decides before the cookie, local and session storage, the browser and the page',
      'a detected language is kept in local storage',
    ],
  ],
  [
    '9',
    'the amplifier is skipped on mobile user agents',
    [parts, 'the amplifier is left out in browsers of phones and tablets'],
  ],
  [
    '9',
    'an initial download count of 0 creates entries alone, 10000 archives all',
    [calls('settings'), 'the initial download count: 0 lists episodes alone, 10000 archives all'],
  ],
]

const isTest = (file: string, name: string) => {
  const text = read(file)
  return [`'${name}'`, `"${name}"`, `\`${name}\``].some(quoted => text.includes(`test(${quoted}`))
}

for (const sentences of [states, rules, api, errors, constants])
  for (const [at, [section, sentence, ...held]] of sentences.entries())
    test(`${section}.${at + 1} ${sentence}`, () => {
      expect(held.length).toBeGreaterThan(0)
      const missing = held.flatMap(([file, ...names]) => names.filter(name => !isTest(file, name)))
      expect(missing).toEqual([])
    })

test('every departure names its section, the sentence, what is done and why', () => {
  const rows = read('docs/specification.md')
    .split('\n')
    .filter(line => line.startsWith('| ') && !line.startsWith('| section') && !line.startsWith('| --'))
    .map(line =>
      line
        .split('|')
        .slice(1, -1)
        .map(cell => cell.trim()),
    )
  expect(rows.length).toBeGreaterThan(5)
  expect(
    rows.filter(([section, ...cells]) => !/^[1-9]$/.test(section!) || cells.length !== 3 || cells.includes('')),
  ).toEqual([])
})
