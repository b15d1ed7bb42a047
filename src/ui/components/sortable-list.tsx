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

type Props<T> = {
  items: readonly T[]
  idOf: (item: T) => string
  nameOf: (item: T) => string
  onMove: (from: number, to: number) => void
  children: (item: T, index: number) => ReactNode
}

/** A list to be sorted by mouse, by finger (after a moment on the grip), or by space and arrow keys. */
export function SortableList<T>({ items, idOf, nameOf, onMove, children }: Props<T>) {
  const { t } = useTranslation()
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 4 } }),
    useSensor(TouchSensor, { activationConstraint: { delay: 120, tolerance: 6 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  const ids = items.map(idOf)
  const name = (id: string | number) => nameOf(items[ids.indexOf(String(id))]!)
  const place = (id: string | number) => ids.indexOf(String(id)) + 1

  function onDragEnd({ active, over }: DragEndEvent) {
    const [from, to] = [ids.indexOf(String(active.id)), over ? ids.indexOf(String(over.id)) : -1]
    if (to !== -1 && from !== to) onMove(from, to)
  }
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      modifiers={upAndDown}
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
        <ol className="sortable">
          {items.map((item, index) => (
            <SortableItem key={idOf(item)} id={idOf(item)} label={t('drag-item', { name: nameOf(item) })}>
              {children(item, index)}
            </SortableItem>
          ))}
        </ol>
      </SortableContext>
    </DndContext>
  )
}

function SortableItem({ id, label, children }: { id: string; label: string; children: ReactNode }) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id,
  })
  return (
    <li
      ref={setNodeRef}
      className={`row gap-10 relative rounded ${isDragging ? 'is-dragged' : ''}`}
      style={{ transform: CSS.Translate.toString(transform), transition: transition ?? undefined }}
    >
      <button
        type="button"
        className="icon-button grip over"
        ref={setActivatorNodeRef}
        {...attributes}
        {...listeners}
        aria-label={label}
      >
        <GripVertical size={18} strokeWidth={1.75} aria-hidden="true" />
      </button>
      {children}
    </li>
  )
}
