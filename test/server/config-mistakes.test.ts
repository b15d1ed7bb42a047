import { expect, test } from 'bun:test'
import { temporaryFolder } from '../support/app'
import { ConfigurationMistakes, joinSettings, readConfig, type Environment } from '../../src/server/config'

/** The mistakes found in an environment and the text of a `--config` file, as the start of the server reads them. */
function mistakesIn(env: Environment, text?: string): readonly string[] {
  const { values, mistakes } = joinSettings(env, text === undefined ? null : { path: 'my.env', text })
  try {
    readConfig(values, mistakes)
    return []
  } catch (error) {
    if (error instanceof ConfigurationMistakes) return error.mistakes
    throw error
  }
}

const signIn = { BASIC_AUTH: 'true', PASSWORD: 'Sup3rSecret' }

test.each<[Environment, string]>([
  [{ BASIC_AUHT: 'true' }, 'BASIC_AUHT is not a variable of Castellan: did you mean BASIC_AUTH?'],
  [{ CASTELLAN_PORT: '80' }, 'CASTELLAN_PORT is not a variable of Castellan: did you mean PORT?'],
  [{ CASTELLAN_BASIC_AUTH: 'on' }, 'did you mean BASIC_AUTH?'],
  [{ CASTELLAN_COLOUR: 'red' }, 'CASTELLAN_COLOUR is not a variable of Castellan, see'],
  [{ TRUSTED_PROXY: '10.0.0.1' }, 'did you mean TRUSTED_PROXIES?'],
  [{ DATA_DIR: '/data' }, 'did you mean DATA_DIRECTORY?'],
  [{ PODCAST_DIRECTORIES: '/data' }, 'did you mean PODCAST_DIRECTORY?'],
  [{ basic_auth: 'true' }, 'basic_auth is not a variable of Castellan: did you mean BASIC_AUTH?'],
  [{ USERNAME_FILE: '/run/name' }, 'did you mean USERNAME?'],
  [{ TLS_CERT_FILE: '/a.pem' }, 'did you mean TLS_CERT?'],
  [{ PASSWROD: 'x' }, 'did you mean PASSWORD?'],
  [{ PASWORD_FILE: '/run/x' }, 'did you mean PASSWORD_FILE?'],
  [{ LOGLEVEL: 'debug' }, 'did you mean LOG_LEVEL?'],
  [{ POLING_INTERVAL: '5' }, 'did you mean POLLING_INTERVAL?'],
  [{ PASSWORD: 'Sup3rSecret' }, 'PASSWORD does nothing alone, expected BASIC_AUTH=true too'],
  [{ ...signIn, PASSWORD: 'short' }, 'PASSWORD is easy to guess, expected at least 8 characters'],
  [{ BASIC_AUTH: 'true' }, 'PASSWORD (or PASSWORD_FILE) must be set'],
  [{ BASIC_AUTH: 'ture' }, 'BASIC_AUTH is "ture", expected true or false'],
  [{ ...signIn, USERNAME: 'a:b' }, 'USERNAME is "a:b", expected 1 to 64 characters'],
  [{ ...signIn, PASSWORD_FILE: '/nowhere' }, 'PASSWORD and PASSWORD_FILE are both set: set one of them'],
  [{ BASIC_AUTH: 'true', PASSWORD_FILE: '/nowhere' }, 'PASSWORD_FILE is /nowhere, which cannot be read (ENOENT)'],
  [{ OIDC_AUTHORITY: 'https://login.example' }, 'OIDC_AUTHORITY does nothing alone, expected OIDC_AUTH=true too'],
  [{ OIDC_AUTH: 'true' }, 'OIDC_AUTH is on, so OIDC_CLIENT_ID must be set'],
  [{ REVERSE_PROXY_HEADER: 'X-User' }, 'REVERSE_PROXY_HEADER does nothing alone, expected REVERSE_PROXY=true too'],
  [{ TLS_CERT: '/a.pem' }, 'TLS_CERT and TLS_KEY belong together'],
  [{ PODINDEX_API_KEY: 'x' }, 'PODINDEX_API_KEY and PODINDEX_API_SECRET belong together'],
  [{ HOST: '0.0.0.0', OIDC_AUTH: 'false' }, 'HOST is "0.0.0.0" and nobody has to sign in'],
  [{ HOST: '192.168.1.2', BASIC_AUTH: 'false' }, 'or ALLOW_OPEN=true on a network'],
  [{ HOST: 'http://pod.example' }, 'HOST is "http://pod.example", expected an address'],
  [{ ...signIn, HOST: '0.0.0.0/0' }, 'HOST is "0.0.0.0/0", expected an address'],
  [{ PORT: '70000' }, 'PORT is "70000", expected a whole number from 0 to 65535'],
  [{ SUB_DIRECTORY: '/a b' }, 'SUB_DIRECTORY is "/a b", expected a path such as /castellan'],
  [{ SERVER_URL: 'pod.example' }, 'SERVER_URL is "pod.example", expected an address'],
  [{ TRUSTED_PROXIES: '10.0.0.0/99' }, 'TRUSTED_PROXIES is "10.0.0.0/99", expected a network'],
  [{ DISK_RESERVE: '1GB' }, 'DISK_RESERVE is "1GB", expected a number of gigabytes'],
  [{ LOG_FORMAT: 'xml' }, 'LOG_FORMAT is "xml", expected one of text, json'],
  [{ MEDIA_STORAGE: 's3' }, 'S3_BUCKET is missing'],
  [{ TRANSCRIPTION_MODEL: 'small' }, 'TRANSCRIPTION_MODEL needs TRANSCRIPTION_URL'],
  [{ API_KEY: 'secret' }, 'API_KEY is not a key: expected 32 hex digits'],
  [{ SECRET_KEY: 'abc' }, 'SECRET_KEY is not a secret: expected 64 hex digits'],
])('%p is answered by name', (env, expected) => {
  expect(mistakesIn(env).join('\n')).toContain(expected)
})

test.each([
  ['BASIC_AUHT=true', 'my.env, line 1: BASIC_AUHT is not a variable of Castellan: did you mean BASIC_AUTH?'],
  ['\nCOLOUR=red', 'my.env, line 2: COLOUR is not a variable of Castellan, see castellan --help'],
  ['PORT 8000', 'my.env, line 1 is not a setting, expected NAME=value'],
  ['PORT=1\nPORT=2', 'my.env, line 2: PORT is already set in line 1, expected it once'],
  ['LOG_LEVEL="info', 'my.env, line 1: the value of LOG_LEVEL begins or ends with a quote'],
  ['USERNAME=mara', 'USERNAME needs a way to sign in: set BASIC_AUTH=true and PASSWORD'],
])('the line %p of a file is answered by its place and name', (text, expected) => {
  expect(mistakesIn({}, text).join('\n')).toContain(expected)
})

test('all mistakes of file and environment are answered together, and no value of a secret is repeated', () => {
  const mistakes = mistakesIn({ PORTT: '1', TRUSTED_PROXY: '::1', PORT: 'x' }, 'COLOUR=1\nsesame\nAPI_KEY=sesame')
  expect(mistakes).toHaveLength(5)
  expect(mistakes.join()).not.toContain('sesame')
})

test('a right configuration is not refused', async () => {
  const folder = temporaryFolder()
  await Bun.write(`${folder}/password`, 'Sup3rSecret\n')
  const file = `# mine\nexport BASIC_AUTH="true"\nUSERNAME='mara'\n\nPASSWORD_FILE=${folder}/password\n`
  expect(mistakesIn({}, file)).toEqual([])
  for (const env of [
    { HOST: '0.0.0.0', ALLOW_OPEN: 'true' },
    { HOST: '::1' },
    { ...signIn, HOST: '0.0.0.0' },
    { USERNAME: 'desktop' },
    { BASIC_AUTH: 'false', PASSWORD: 'later' },
    { OIDC_AUTH: 'false', OIDC_CLIENT_ID: 'later' },
    { ...signIn, PASSWORD: 'weak', ALLOW_WEAK_PASSWORD: 'true' },
  ])
    expect([env, mistakesIn(env)]).toEqual([env, []])
})

// Every name is set to a text, so one that Castellan reads by mistake would be answered too.
const usual = `
PATH HOME SHELL USER LOGNAME PWD OLDPWD SHLVL TERM TERMINFO COLORTERM LANG LANGUAGE LC_ALL LC_CTYPE LC_MESSAGES LC_TIME
LC_COLLATE LC_NUMERIC LC_MONETARY LC_PAPER LC_NAME LC_ADDRESS LC_TELEPHONE LC_MEASUREMENT LC_IDENTIFICATION TZ EDITOR
VISUAL PAGER LESS LESSOPEN LESSCLOSE LS_COLORS MANPATH INFOPATH HISTFILE HISTSIZE HISTCONTROL HISTFILESIZE PS1 PS2 PS4
IFS HOSTNAME HOSTTYPE MACHTYPE OSTYPE UID EUID PPID GROUPS RANDOM SECONDS LINES COLUMNS MAIL MAILCHECK TMPDIR TEMP TMP
BASH BASH_ENV BASH_VERSION ENV PROMPT_COMMAND ZDOTDIR ZSH ZSH_VERSION FISH_VERSION STARSHIP_SHELL VENDOR GROUP REMOTEHOST
SUDO_USER SUDO_UID SUDO_GID SUDO_COMMAND SUDO_HOME SSH_CLIENT SSH_CONNECTION SSH_TTY SSH_AUTH_SOCK SSH_AGENT_PID
SSH_ASKPASS GPG_AGENT_INFO GPG_TTY PASSWORD_STORE_DIR PASSWORD_STORE_KEY PGHOST PGPORT PGUSER PGPASSWORD PGPASSFILE
PGDATABASE MYSQL_HOST MYSQL_PWD MYSQL_ROOT_PASSWORD POSTGRES_PASSWORD POSTGRES_USER REDIS_HOST REDIS_PASSWORD DB_HOST
DB_PORT DB_USER DB_PASSWORD DATABASE_URL ADMIN_PASSWORD USER_PASSWORD APP_KEY APP_URL SECRET SECRET_KEY_BASE TOKEN
DISPLAY WAYLAND_DISPLAY XAUTHORITY XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME XDG_STATE_HOME XDG_RUNTIME_DIR
XDG_SESSION_ID XDG_SESSION_TYPE XDG_SESSION_CLASS XDG_SESSION_DESKTOP XDG_CURRENT_DESKTOP XDG_DATA_DIRS XDG_CONFIG_DIRS
XDG_SEAT XDG_VTNR XDG_MENU_PREFIX DESKTOP_SESSION GDMSESSION GNOME_DESKTOP_SESSION_ID GNOME_TERMINAL_SCREEN
GNOME_TERMINAL_SERVICE GNOME_SETUP_DISPLAY GTK_MODULES GTK_IM_MODULE QT_IM_MODULE QT_ACCESSIBILITY XMODIFIERS KDE_FULL_SESSION
KDE_SESSION_VERSION KDE_SESSION_UID KDE_APPLICATIONS_AS_SCOPE DBUS_SESSION_BUS_ADDRESS SESSION_MANAGER WINDOWID WINDOWPATH
VTE_VERSION TERM_PROGRAM TERM_PROGRAM_VERSION KONSOLE_VERSION KONSOLE_DBUS_SERVICE TMUX TMUX_PANE STY WINDOW IM_CONFIG_PHASE
USERNAME USERDOMAIN USERPROFILE COMPUTERNAME APPDATA LOCALAPPDATA PROGRAMFILES PROGRAMDATA SYSTEMROOT WINDIR COMSPEC
HOMEDRIVE HOMEPATH LOGONSERVER NUMBER_OF_PROCESSORS OS PATHEXT PROCESSOR_ARCHITECTURE PUBLIC ALLUSERSPROFILE WSLENV
WSL_DISTRO_NAME INVOCATION_ID JOURNAL_STREAM SYSTEMD_EXEC_PID MANAGERPID MAINPID NOTIFY_SOCKET WATCHDOG_USEC WATCHDOG_PID
LISTEN_FDS LISTEN_PID LISTEN_FDNAMES MEMORY_PRESSURE_WATCH MEMORY_PRESSURE_WRITE CREDENTIALS_DIRECTORY STATE_DIRECTORY
CACHE_DIRECTORY LOGS_DIRECTORY RUNTIME_DIRECTORY CONFIGURATION_DIRECTORY EXIT_CODE EXIT_STATUS SERVICE_RESULT
DOCKER_HOST DOCKER_CONFIG DOCKER_CONTEXT DOCKER_TLS_VERIFY DOCKER_CERT_PATH DOCKER_BUILDKIT COMPOSE_PROJECT_NAME COMPOSE_FILE
container container_uuid PODMAN_SYSTEMD_UNIT HOST_OS HOST_HOSTNAME HOST_CONTAINERNAME PUID PGID UMASK
KUBERNETES_PORT KUBERNETES_PORT_443_TCP KUBERNETES_PORT_443_TCP_ADDR KUBERNETES_PORT_443_TCP_PORT KUBERNETES_PORT_443_TCP_PROTO
KUBERNETES_SERVICE_HOST KUBERNETES_SERVICE_PORT KUBERNETES_SERVICE_PORT_HTTPS KUBECONFIG POD_NAME POD_NAMESPACE POD_IP NODE_NAME
CASTELLAN_SERVICE_HOST CASTELLAN_SERVICE_PORT CASTELLAN_SERVICE_PORT_HTTP CASTELLAN_PORT_8000_TCP CASTELLAN_PORT_8000_TCP_ADDR
CASTELLAN_PORT_8000_TCP_PORT CASTELLAN_PORT_8000_TCP_PROTO CASTELLAN_WEB_SERVICE_HOST CASTELLAN_WEB_PORT_80_TCP CASTELLAN_NAME
CI GITHUB_ACTIONS GITHUB_ACTOR GITHUB_TOKEN GITHUB_REPOSITORY GITHUB_SHA GITHUB_REF GITHUB_WORKSPACE GITHUB_RUN_ID GITHUB_ENV
GITHUB_PATH GITHUB_SERVER_URL GITHUB_API_URL GITHUB_EVENT_NAME GITHUB_BASE_REF GITHUB_HEAD_REF GITHUB_JOB GITHUB_OUTPUT
RUNNER_OS RUNNER_ARCH RUNNER_TEMP RUNNER_NAME RUNNER_TOOL_CACHE RUNNER_DEBUG GITLAB_CI CI_JOB_ID CI_SERVER_URL CI_SERVER_HOST
CI_PROJECT_DIR CI_COMMIT_SHA JENKINS_URL BUILD_ID BUILD_NUMBER NODE_ENV NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS
NODE_NO_WARNINGS npm_config_cache npm_package_name npm_lifecycle_event NVM_DIR NVM_BIN BUN_INSTALL BUN_OPTIONS DENO_DIR
GOPATH GOROOT GOPROXY GOFLAGS CARGO_HOME RUSTUP_HOME RUST_LOG RUST_BACKTRACE PYTHONPATH PYTHONUNBUFFERED VIRTUAL_ENV PYENV_ROOT
JAVA_HOME JAVA_OPTS MAVEN_OPTS ANDROID_HOME GEM_HOME RUBYOPT PERL5LIB PKG_CONFIG_PATH LD_LIBRARY_PATH LD_PRELOAD CC CXX CFLAGS
ALL_PROXY FTP_PROXY RSYNC_PROXY SOCKS_PROXY all_proxy ftp_proxy SSL_CERT_FILE SSL_CERT_DIR CURL_CA_BUNDLE REQUESTS_CA_BUNDLE
AWS_REGION AWS_PROFILE AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN AWS_CA_BUNDLE AWS_S3_BUCKET LITESTREAM_ACCESS_KEY_ID
LITESTREAM_SECRET_ACCESS_KEY SENTRY_DSN OTEL_SERVICE_NAME VAULT_ADDR NOMAD_PORT_http DEBUG VERBOSE LOG LOGFILE LOG_FILE LOGS FORCE_COLOR
NO_COLOR CLICOLOR POST HOSTS PORTS SORT PROXIES
`
  .split(/\s+/)
  .filter(Boolean)

test('what shells, desktops, services, containers and build machines set is never a mistake', () => {
  expect(usual.length).toBeGreaterThan(300)
  expect(usual.flatMap(name => mistakesIn({ [name]: 'something' }))).toEqual([])
  expect(mistakesIn({ CASTELLAN_PORT: 'tcp://10.3.0.4:8000', CASTELLAN_WEB_PORT: 'tcp://10.3.0.5:80' })).toEqual([])
  expect(mistakesIn({ http_proxy: 'http://p:1', https_proxy: 'http://p:1', no_proxy: '*', HTTP_PROXY: '' })).toEqual([])
})
