import type { RemoteItem, Value, ValueRecipient, ValueTimeSplit } from '../../../shared/api/podcast-tags'
import { keepSmall } from '../../platform/engine'
import { FEW_ENTRIES, MAX_ENTRIES, present, shortAttribute } from './podcast-bounds'
import { parseAddress } from './values'
import { attribute, child, children, type XmlNode } from './xml-node'

/**
 * The value block, which is shown and never acted upon.
 * https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/tags/value.md
 */
export function valueOf(node: XmlNode, base: string): { value?: Value } {
  const value = child(node, 'podcast:value')
  if (!value) return {}
  const timeSplits = children(value, 'podcast:valuetimesplit')
    .slice(0, MAX_ENTRIES)
    .flatMap(split => timeSplitOf(split, base))
  return {
    value: {
      ...present({
        type: shortAttribute(value, 'type'),
        method: shortAttribute(value, 'method'),
        suggested: shortAttribute(value, 'suggested'),
      }),
      recipients: recipientsOf(value),
      ...(timeSplits.length > 0 && { timeSplits }),
    },
  }
}

/** A part without a place or an end is nothing that a listener could see. */
function timeSplitOf(split: XmlNode, base: string): ValueTimeSplit[] {
  const startTime = numberOf(split, 'starttime')
  const duration = numberOf(split, 'duration')
  if (startTime === null || !duration) return []
  const remote = child(split, 'podcast:remoteitem')
  return [
    {
      startTime,
      duration,
      ...present({
        remoteStartTime: numberOf(split, 'remotestarttime'),
        remotePercentage: numberOf(split, 'remotepercentage'),
      }),
      recipients: recipientsOf(split, FEW_ENTRIES),
      ...present({ remoteItem: remote ? remoteItemOf(remote, base) : null }),
    },
  ]
}

const recipientsOf = (node: XmlNode, most = MAX_ENTRIES): ValueRecipient[] =>
  children(node, 'podcast:valuerecipient')
    .slice(0, most)
    .map(recipient =>
      present({
        name: shortAttribute(recipient, 'name'),
        type: shortAttribute(recipient, 'type'),
        address: shortAttribute(recipient, 'address'),
        customKey: shortAttribute(recipient, 'customkey'),
        customValue: shortAttribute(recipient, 'customvalue'),
        split: numberOf(recipient, 'split'),
        fee: attribute(recipient, 'fee')?.toLowerCase() === 'true' ? true : null,
      }),
    )

/** A podcast or episode that another feed describes; null without the feed's guid or address. */
export function remoteItemOf(node: XmlNode, base: string): RemoteItem | null {
  const feedGuid = shortAttribute(node, 'feedguid')
  const feedUrl = parseAddress(attribute(node, 'feedurl'), base)
  if (!feedGuid && !feedUrl) return null
  return present({
    feedGuid,
    feedUrl,
    itemGuid: shortAttribute(node, 'itemguid'),
    medium: shortAttribute(node, 'medium'),
    title: shortAttribute(node, 'title'),
  })
}

/** A number from 0 on; null for anything else. */
function numberOf(node: XmlNode, name: string): number | null {
  const raw = attribute(node, name)
  const number = raw === null ? Number.NaN : Number(raw)
  return number >= 0 && number < 1e9 ? number : null
}

keepSmall(valueOf, timeSplitOf, recipientsOf)
