import ipaddr from 'ipaddr.js'

type Address = ReturnType<typeof ipaddr.parse>
type Network = ReturnType<typeof ipaddr.parseCIDR>

type AddressKind = 'public' | 'private' | 'never'

// Addresses at which cloud machines serve their credentials. Those in 169.254/16 are link-local, which is never reached
// anyway.
const metadata = new Set(['100.100.100.200', 'fd00:ec2::254', '168.63.129.16'])

// After `parseAddress`, rfc6052 is a network's own NAT64 (RFC 8215): only that network knows where the IPv4 address is
// in it.
const privateRanges = new Set(['loopback', 'private', 'carrierGradeNat', 'uniqueLocal', 'rfc6052'])

/** Networks whose addresses carry an IPv4 address: NAT64, and the obsolete IPv4-compatible form (`::7f00:1`). */
const carriers = [ipaddr.parseCIDR('64:ff9b::/96'), ipaddr.parseCIDR('::/96')]
const notCarried = new Set(['loopback', 'unspecified'])

/**
 * Classifies an address. `public` = anyone may reach it; `private` = only feeds added there by an entitled user;
 * `never` = link-local and metadata addresses, multicast, reserved blocks, and text that is not an address.
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

/** The network of one customer: an IPv4 address itself, the first 64 bits of an IPv6 one; null for neither. */
export function networkOf(text: string): string | null {
  const address = parseAddress(text)
  if (!address || address.kind() === 'ipv4') return address?.toString() ?? null
  return ipaddr.fromByteArray(address.toByteArray().map((byte, place) => (place < 8 ? byte : 0))).toString()
}

/** The network of an address, as shown to people: `203.0.113.*`, `2001:db8:5::*`; '' for no address. */
export function surroundingsOf(text: string): string {
  const address = parseAddress(text)
  if (!address) return ''
  if (address.kind() === 'ipv4') return [...address.toString().split('.').slice(0, 3), '*'].join('.')
  const network = ipaddr.fromByteArray(address.toByteArray().map((byte, place) => (place < 6 ? byte : 0)))
  return `${network.toString().replace(/::$/, '')}::*`
}

/** Parses an address; IPv6 forms that carry an IPv4 address become that address. */
function parseAddress(text: string): Address | null {
  const bare = text.replace(/^\[|\]$/g, '').split('%')[0] ?? ''
  if (!ipaddr.isValid(bare)) return null
  const address = ipaddr.process(bare)
  const isCarrier = carriers.some(network => address.kind() === 'ipv6' && address.match(network))
  return isCarrier && !notCarried.has(address.range()) ? ipaddr.fromByteArray(address.toByteArray().slice(12)) : address
}
