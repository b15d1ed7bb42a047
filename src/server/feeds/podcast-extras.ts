import type { Social } from '../../shared/api/podcast-tags'
import { present, shortAttribute } from './podcast-bounds'
import { parseAddress, parseText, parseWhole } from './values'
import { attribute, children, type XmlNode } from './xml-node'

// Absent where there are none: an item that has nothing new must not look edited.

const MAX_ENTRIES = 20

/** https://podcasting2.org/docs/podcast-namespace/tags/social-interact ; the most wanted place comes first. */
export function socialOf(node: XmlNode, base: string): { social?: Social[] } {
  const social = children(node, 'podcast:socialinteract')
    .map(place => ({
      uri: parseAddress(attribute(place, 'uri'), base),
      protocol: parseText(attribute(place, 'protocol'))?.toLowerCase() ?? '',
      priority: parseWhole(attribute(place, 'priority')) ?? Number.MAX_SAFE_INTEGER,
      account: present({
        accountId: shortAttribute(place, 'accountid'),
        accountUrl: parseAddress(attribute(place, 'accounturl'), base),
      }),
    }))
    .sort((one, other) => one.priority - other.priority)
    .flatMap(({ uri, protocol, account }) =>
      uri && protocol !== 'disabled' ? [{ uri, protocol: protocol.slice(0, 50), ...account }] : [],
    )
  return social.length > 0 ? { social: social.slice(0, MAX_ENTRIES) } : {}
}
