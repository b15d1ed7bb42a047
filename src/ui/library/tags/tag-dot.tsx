import type { TagColor } from '../../../shared/api/tag'
import './tag-dot.css'

/** A tag's colour; its name stands beside it. */
export const TagDot = ({ color }: { color: TagColor }) => <span className={`tag-dot is-${color}`} aria-hidden="true" />
