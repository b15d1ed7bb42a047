import { logLevels } from '../platform/log'

type Variable = { name: string; default: string; meaning: string }

/**
 * Every variable with its default and meaning, as `--help` prints them; a test looks for each in
 * `docs/configuration.md`.
 */
export const variables: readonly Variable[] = [
  {
    name: 'HOST',
    default: '',
    meaning: 'address to listen on; by default 127.0.0.1 in open mode, 0.0.0.0 with sign-in',
  },
  {
    name: 'ALLOW_OPEN',
    default: 'false',
    meaning: 'allows open mode on the network, where everybody who reaches HOST is an administrator',
  },
  { name: 'PORT', default: '8000', meaning: 'port to listen on; 0 picks a free one' },
  { name: 'DATA_DIRECTORY', default: './data', meaning: 'database, covers and backups' },
  { name: 'PODCAST_DIRECTORY', default: '<data>/podcasts', meaning: 'downloaded media' },
  { name: 'MEDIA_STORAGE', default: 'folder', meaning: 'where new media files are stored: folder or s3' },
  { name: 'S3_ENDPOINT', default: '', meaning: 'address of an S3-compatible service, such as https://s3.example' },
  { name: 'S3_BUCKET', default: '', meaning: 'bucket for media files; it needs no public access' },
  { name: 'S3_REGION', default: 'us-east-1', meaning: 'region of the bucket' },
  { name: 'S3_ACCESS_KEY', default: '', meaning: 'access key of the bucket' },
  { name: 'S3_SECRET_KEY', default: '', meaning: 'secret of that key' },
  { name: 'S3_PREFIX', default: '', meaning: 'prefix of every object in the bucket, such as podcasts' },
  {
    name: 'S3_REDIRECT',
    default: 'false',
    meaning: 'redirects players to the bucket, which they must be able to reach',
  },
  { name: 'SUB_DIRECTORY', default: '', meaning: 'path prefix behind a proxy, such as /castellan' },
  { name: 'SERVER_URL', default: '', meaning: 'public address, for proxies that send no X-Forwarded headers' },
  {
    name: 'TRUSTED_PROXIES',
    default: 'loopback',
    meaning: 'networks (CIDR, comma-separated) whose X-Forwarded headers count',
  },
  {
    name: 'ALLOWED_NETWORKS',
    default: '',
    meaning: 'private networks (CIDR, comma-separated) from which anybody may add feeds',
  },
  {
    name: 'PROXY',
    default: '',
    meaning: 'proxy for feeds, media, covers and directories, such as http://user:password@proxy.example:3128',
  },
  { name: 'HTTPS_PROXY', default: '', meaning: 'proxy for everything fetched over https' },
  { name: 'HTTP_PROXY', default: '', meaning: 'proxy for everything fetched over http' },
  { name: 'NO_PROXY', default: '', meaning: 'hosts and networks to reach without a proxy, comma-separated' },
  { name: 'POLLING_INTERVAL', default: '60', meaning: 'shortest time between checks of a feed, in minutes' },
  {
    name: 'MAX_PARALLEL_DOWNLOADS',
    default: '3',
    meaning: 'downloads at once, fewer from one host, unless the settings set a number',
  },
  { name: 'MAX_PARALLEL_REFRESHES', default: '16', meaning: 'feeds checked at once, at most two per host' },
  { name: 'DISK_RESERVE', default: '1', meaning: 'gigabytes to keep free; downloads wait below that' },
  { name: 'BACKUP_INTERVAL', default: '24', meaning: 'hours between scheduled backups; 0 makes none' },
  { name: 'BACKUP_KEEP', default: '7', meaning: 'scheduled backups to keep' },
  { name: 'AUDIT_DAYS', default: '400', meaning: 'days to keep activity' },
  {
    name: 'SECRET_KEY',
    default: '',
    meaning: "the server's secret, as castellan secret prints it; by default in a file next to the database",
  },
  {
    name: 'REPLICA_URL',
    default: '',
    meaning: 'where Litestream replicates the database, such as s3://bucket/castellan',
  },
  { name: 'UPDATE_CHECK_URL', default: '', meaning: 'address asked once a day for the newest version' },
  {
    name: 'TRANSCRIPTION_URL',
    default: '',
    meaning: 'speech server for missing transcripts, such as http://whisper:8000',
  },
  { name: 'TRANSCRIPTION_MODEL', default: 'whisper-1', meaning: 'model to request from the speech server' },
  { name: 'TRANSCRIPTION_KEY', default: '', meaning: 'key for the speech server, if needed' },
  { name: 'TLS_CERT', default: '', meaning: 'certificate file (PEM), for https without a proxy' },
  { name: 'TLS_KEY', default: '', meaning: 'key file (PEM) of that certificate' },
  { name: 'BASIC_AUTH', default: 'false', meaning: 'sign-in by username and password' },
  { name: 'USERNAME', default: 'admin', meaning: 'name of the configured admin' },
  { name: 'PASSWORD', default: '', meaning: 'password of that admin; a new one applies at the next start' },
  { name: 'ALLOW_WEAK_PASSWORD', default: 'false', meaning: 'accepts a PASSWORD that is easy to guess' },
  { name: 'OIDC_AUTH', default: 'false', meaning: 'single sign-on by OpenID Connect' },
  { name: 'OIDC_AUTHORITY', default: '', meaning: 'address of the provider' },
  { name: 'OIDC_CLIENT_ID', default: '', meaning: 'id of this client at the provider' },
  { name: 'OIDC_CLIENT_SECRET', default: '', meaning: 'secret of a confidential client; a public one has none' },
  { name: 'OIDC_REDIRECT_URI', default: '<address>/ui/', meaning: 'redirect address, registered at the provider' },
  { name: 'OIDC_SCOPE', default: 'openid profile email', meaning: 'scopes to request' },
  {
    name: 'OIDC_PARAMETERS',
    default: '',
    meaning: "more parameters of the provider's sign-in page, such as access_type=offline&prompt=consent",
  },
  { name: 'OIDC_JWKS', default: '', meaning: "address of the provider's keys, if discovery doesn't name it" },
  {
    name: 'OIDC_ADMIN_CLAIM',
    default: '',
    meaning: 'claim and value that make somebody an admin, such as groups:admins',
  },
  {
    name: 'OIDC_APP_REDIRECTS',
    default: '',
    meaning: 'addresses of more apps that may sign in by the provider, such as myapp://oauth',
  },
  { name: 'REVERSE_PROXY', default: 'false', meaning: 'a proxy signs people in' },
  {
    name: 'REVERSE_PROXY_HEADER',
    default: 'X-Forwarded-User',
    meaning: 'header with the name of the person who signed in',
  },
  { name: 'REVERSE_PROXY_AUTO_SIGN_UP', default: 'false', meaning: 'creates accounts for new names' },
  { name: 'ADMINS', default: '', meaning: 'admins, by the name from the proxy or the subject (sub) of the provider' },
  { name: 'API_KEY', default: '', meaning: 'API key of the configured admin: 32 hex digits' },
  { name: 'USER_PODCAST_LIMIT', default: '100', meaning: 'podcasts that each plain user may add' },
  {
    name: 'PODINDEX_API_KEY',
    default: '',
    meaning: 'key for the Podcast Index, which is then searched instead of iTunes',
  },
  { name: 'PODINDEX_API_SECRET', default: '', meaning: 'secret of that key' },
  {
    name: 'STARTER_OPML',
    default: '',
    meaning: 'file or address of an OPML list that an empty library offers in place of the charts of a directory',
  },
  {
    name: 'GPODDER_INTEGRATION_ENABLED',
    default: 'true',
    meaning: 'lets podcast apps sync; always off in open mode',
  },
  {
    name: 'AUDIOBOOKSHELF_API',
    default: '',
    meaning: "lets Audiobookshelf's apps sign in; by default on with sign-in, off in open mode",
  },
  {
    name: 'ASSISTANT_API_KEYS',
    default: '',
    meaning: 'lets API keys act for assistants (true), or none of them (false); by default their users decide',
  },
  {
    name: 'PUBLIC_CLIPS',
    default: 'true',
    meaning: 'allows public pages of clips',
  },
  { name: 'LOG_LEVEL', default: 'info', meaning: logLevels.join(', ') },
  { name: 'LOG_FORMAT', default: 'text', meaning: 'text or json' },
]

/** Variables that may also be given as `NAME_FILE`, the path of a file that holds the value. */
export const secretVariables = [
  'PROXY',
  'PASSWORD',
  'OIDC_CLIENT_SECRET',
  'API_KEY',
  'PODINDEX_API_KEY',
  'PODINDEX_API_SECRET',
  'SECRET_KEY',
  'REPLICA_URL',
  'S3_ACCESS_KEY',
  'S3_SECRET_KEY',
  'TRANSCRIPTION_KEY',
] as const
