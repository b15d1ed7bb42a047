import {
  closestCenter,
  DndContext,
  KeyboardSensor,
  MouseSensor,
  TouchSensor,
  useSensor,
  useSensors,
  type DragEndEvent,
  type Modifier,
} from '@dnd-kit/core'
import {
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { GripVertical } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import './panels.css'

const upAndDown: Modifier[] = [({ transform }) => ({ ...transform, x: 0 })]

type FrameProps<T> = {
  items: readonly T[]
  idOf: (item: T) => string
  nameOf: (item: T) => string
  onMove: (from: number, to: number) => void
  /** Gets the place of the item that is being dragged; null = none any more. */
  onHold?: (place: number | null) => void
  children: ReactNode
}

/** A place for items to be sorted by mouse, by finger (after a moment on the grip), or by space and arrow keys. */
export function SortableFrame<T>({ items, idOf, nameOf, onMove, onHold, children }: FrameProps<T>) {
  const { t } = useTranslation()
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 4 } }),
    useSensor(TouchSensor, { activationConstraint: { delay: 120, tolerance: 6 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  const ids = items.map(idOf)
  const indexOf = (id: string | number) => ids.indexOf(String(id))
  // It may have been removed elsewhere while it was dragged.
  const name = (id: string | number) => (items[indexOf(id)] ? nameOf(items[indexOf(id)]!) : '')
  const place = (id: string | number) => indexOf(id) + 1

  function onDragEnd({ active, over }: DragEndEvent) {
    onHold?.(null)
    const [from, to] = [indexOf(active.id), over ? indexOf(over.id) : -1]
    if (from !== -1 && to !== -1 && from !== to) onMove(from, to)
  }
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      modifiers={upAndDown}
      onDragStart={({ active }) => onHold?.(indexOf(active.id))}
      onDragCancel={() => onHold?.(null)}
      onDragEnd={onDragEnd}
      accessibility={{
        screenReaderInstructions: { draggable: t('drag-instructions') },
        announcements: {
          onDragStart: ({ active }) => t('drag-started', { name: name(active.id) }),
          onDragOver: ({ active, over }) =>
            over ? t('drag-over', { name: name(active.id), place: place(over.id), count: ids.length }) : undefined,
          onDragEnd: ({ active, over }) =>
            t('drag-ended', { name: name(active.id), place: over ? place(over.id) : place(active.id) }),
          onDragCancel: ({ active }) => t('drag-cancelled', { name: name(active.id) }),
        },
      }}
    >
      <SortableContext items={ids} strategy={verticalListSortingStrategy}>
        {children}
      </SortableContext>
    </DndContext>
  )
}

type Props<T> = Omit<FrameProps<T>, 'children' | 'onHold'> & { children: (item: T, index: number) => ReactNode }

/** A list to be sorted. */
export function SortableList<T>({ children, ...frame }: Props<T>) {
  const { items, idOf, nameOf } = frame
  return (
    <SortableFrame {...frame}>
      <ol className="sortable">
        {items.map((item, index) => (
          <SortableItem key={idOf(item)} id={idOf(item)} name={nameOf(item)}>
            {children(item, index)}
          </SortableItem>
        ))}
      </ol>
    </SortableFrame>
  )
}

function SortableItem({ id, name, children }: { id: string; name: string; children: ReactNode }) {
  const { ref, grip, style, isDragged } = useSorted(id, name)
  return (
    <li ref={ref} className={`row gap-10 relative rounded ${isDragged ? 'is-dragged' : ''}`} style={style}>
      {grip}
      {children}
    </li>
  )
}

/** The parts that make an element an item of a frame: its ref, its style while others are dragged, and its grip. */
export function useSorted(id: string, name: string) {
  const { t } = useTranslation()
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id,
  })
  const grip = (
    <button
      type="button"
      className="icon-button grip over"
      ref={setActivatorNodeRef}
      {...attributes}
      {...listeners}
      aria-label={t('drag-item', { name })}
    >
      <GripVertical size={18} strokeWidth={1.75} aria-hidden="true" />
    </button>
  )
  const style = { transform: CSS.Translate.toString(transform), transition: transition ?? undefined }
  return { ref: setNodeRef, grip, style, isDragged: isDragging }
}
