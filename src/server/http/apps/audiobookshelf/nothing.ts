import { type AppCall, forbidden, notFound, readCount } from './protocol'

/** Calls about things that this server does not have: they are answered as if there were none. */
const empty: readonly AppCall[] = [
  ['GET /api/collections', () => ({ collections: [] })],
  ['GET /api/tasks', () => ({ tasks: [] })],
  ['GET /api/feeds', () => ({ feeds: [], minified: [] })],
  [
    'GET /api/search/providers',
    () => ({ providers: { books: [], booksCovers: [], podcasts: [{ value: 'itunes', text: 'iTunes' }] } }),
  ],
  [
    'GET /api/me/sessions',
    ({ query }) => ({
      total: 0,
      numPages: 0,
      page: readCount(query, 'page', 0),
      itemsPerPage: readCount(query, 'itemsPerPage', 10),
      sessions: [],
    }),
  ],
]

const missing = [
  'GET /api/collections/:id',
  'GET /api/series/:id',
  'GET /api/authors/:id',
  'GET /api/authors/:id/image',
]

/** Calls that administer a server: ours is administered only in its interface. */
const refused = [
  ...['users', 'backups', 'notifications', 'settings', 'logger-data', 'stats', 'filesystem']
    .flatMap(area =>
      ['GET', 'POST', 'PATCH', 'DELETE'].flatMap(method => [
        `${method} /api/${area}`,
        `${method} /api/${area}/:a`,
        `${method} /api/${area}/:a/:b`,
      ]),
    )
    // The one that is answered, to admins.
    .filter(call => call !== 'GET /api/users'),
  'POST /api/feeds/:a',
  'POST /api/feeds/:a/:b',
  'POST /api/feeds/:a/:b/:c',
  'POST /api/emails/:a',
  'POST /api/upload',
  'POST /api/collections',
  'POST /api/tags/rename',
  'DELETE /api/tags/:id',
]

export const noCalls = (): AppCall[] => [
  ...empty,
  ...missing.map((call): AppCall => [
    call,
    () => {
      throw notFound()
    },
  ]),
  ...refused.map((call): AppCall => [
    call,
    () => {
      throw forbidden()
    },
  ]),
]
