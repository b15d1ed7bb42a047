import type { TagColor } from '../../../shared/api/tag'
import '../../components/components.css'

/** A dot in a tag's colour. Hidden from screen readers: the tag's name is next to it. */
export const TagDot = ({ color }: { color: TagColor }) => <span className={`tag-dot is-${color}`} aria-hidden="true" />
