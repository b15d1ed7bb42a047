import ipaddr from 'ipaddr.js'

type Address = ReturnType<typeof ipaddr.parse>
type Network = ReturnType<typeof ipaddr.parseCIDR>

export type AddressKind = 'public' | 'private' | 'never'

// Where cloud machines keep their credentials. Those of 169.254/16 are link-local, and never reached anyway.
const metadata = new Set(['100.100.100.200', 'fd00:ec2::254', '168.63.129.16'])

const privateRanges = new Set(['loopback', 'private', 'carrierGradeNat', 'uniqueLocal'])

/**
 * `public` = anyone may reach it; `private` = only feeds that somebody entitled to it added there;
 * `never` = link-local and metadata addresses, multicast, reserved blocks, and whatever cannot be read.
 */
export function kindOfAddress(text: string): AddressKind {
  const address = parseAddress(text)
  if (!address || metadata.has(address.toString())) return 'never'
  const range = address.range()
  if (range === 'unicast') return 'public'
  return privateRanges.has(range) ? 'private' : 'never'
}

export function isWithin(text: string, networks: readonly Network[]): boolean {
  const address = parseAddress(text)
  return address !== null && networks.some(network => network[0].kind() === address.kind() && address.match(network))
}

/** An IPv4 address as it stands, an IPv6 one cut to the 64 bits that one customer has; null for what is neither. */
export function networkOf(text: string): string | null {
  const address = parseAddress(text)
  if (!address || address.kind() === 'ipv4') return address?.toString() ?? null
  return ipaddr.fromByteArray(address.toByteArray().map((byte, place) => (place < 8 ? byte : 0))).toString()
}

/** IPv6 forms that carry an IPv4 address (mapped, NAT64) stand for that address. */
function parseAddress(text: string): Address | null {
  const bare = text.replace(/^\[|\]$/g, '').split('%')[0] ?? ''
  if (!ipaddr.isValid(bare)) return null
  const address = ipaddr.process(bare)
  if (address.kind() === 'ipv6' && address.range() === 'rfc6052')
    return ipaddr.fromByteArray(address.toByteArray().slice(12))
  return address
}
