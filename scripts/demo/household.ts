import { apisOf } from '../../test/support/apis'

const authorization = `Basic ${btoa('mara:Sup3rSecret')}`

/** The configuration of a server that people sign in to. */
export const householdEnvironment = { BASIC_AUTH: 'true', USERNAME: 'mara', PASSWORD: 'Sup3rSecret' }

/** Adds accounts, invitations in every state, two podcast apps and a backup; returns the id of an open invitation. */
export async function plantHousehold(origin: string): Promise<string> {
  const { invites, users } = apisOf(origin, authorization)
  for (const [username, role] of [
    ['Nils', 'user'],
    ['Theodora', 'uploader'],
    ['Okko', 'user'],
  ] as const) {
    const { id: inviteId } = await invites.create({ role, explicitConsent: role === 'uploader' })
    await users.signUp({ username, password: 'Corr3ctHorse', inviteId })
  }
  await plantDevices(origin)
  await post(origin, '/api/v1/backups')
  return (await invites.create({ role: 'uploader', explicitConsent: false })).id
}

/** Lets an app ask for access, as Nextcloud's clients do; returns the id of its request. */
export async function requestAccess(origin: string): Promise<string> {
  const response = await fetch(`${origin}/index.php/login/v2`, {
    method: 'POST',
    headers: { 'User-Agent': 'AntennaPod/3.9.0' },
  })
  const { login } = (await response.json()) as { login: string }
  return login.split('/').at(-1)!
}

/** Adds two podcast apps, one of them subscribed to feeds that the library does not have. */
async function plantDevices(origin: string) {
  await post(origin, '/api/2/devices/mara/antennapod_on_pixel.json', {
    caption: 'AntennaPod on Pixel',
    type: 'mobile',
  })
  await post(origin, '/api/2/devices/mara/desk.json', { caption: 'gPodder on the desk', type: 'desktop' })
  const add = ['https://feeds.example/harbour-lights.xml', 'https://feeds.example/the-slow-train.xml']
  await post(origin, '/api/2/subscriptions/mara/antennapod_on_pixel.json', { add })
  await fetch(`${origin}/api/2/subscriptions/mara/antennapod_on_pixel.json?since=0`, {
    headers: { Authorization: authorization },
  })
}

const post = (origin: string, path: string, body?: object) =>
  fetch(`${origin}${path}`, {
    method: 'POST',
    headers: { Authorization: authorization, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
