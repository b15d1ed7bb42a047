import { signal } from '@preact/signals-core'
import { useSignals } from '@preact/signals-react/runtime'
import { ArrowLeft } from 'lucide-react'
import { useEffect, useState, type ReactNode, type RefObject } from 'react'
import { createPortal } from 'react-dom'
import { Link } from 'wouter'
import { Segments } from './segments'

/**
 * The places in the top bar that belong to the page: for its title at the start, for its action near the end, and on
 * phones, whose bar has no room for them, for its sub-pages below.
 */
export const topBarSlots = {
  start: signal<HTMLElement | null>(null),
  end: signal<HTMLElement | null>(null),
  below: signal<HTMLElement | null>(null),
}

type Props = {
  title: string
  /** The page above this one. */
  back?: { to: string; label: string }
  /** The sub-pages: next to the title, on phones below it. */
  segments?: readonly { to: string; label: string }[]
  /** Whether the page has its own heading; then the bar names the page once that heading has scrolled away. */
  hasOwnHeading?: boolean
  /** Makes the bar transparent. */
  isClear?: boolean
  /** The action of the page as a whole. */
  children?: ReactNode
}

/** The page's only `h1`, which is also the document's title, and the page's action. Both are shown in the top bar. */
export function PageHeader({ title, back, segments, hasOwnHeading = false, isClear = false, children }: Props) {
  useSignals()
  useTitle(title)
  const { start, end, below } = topBarSlots
  return (
    <>
      {start.value &&
        createPortal(
          <>
            {back && (
              <Link
                className="top-bar-back text-s strong ink rigid rounded undecorated with-icon"
                href={back.to}
                aria-label={back.label}
              >
                <ArrowLeft className="flip" size={20} strokeWidth={1.75} aria-hidden="true" />
                <span className="above-phone">{back.label}</span>
              </Link>
            )}
            {hasOwnHeading ? (
              !isClear && (
                <span className="top-bar-title text-l strong shrinks truncate" dir="auto" aria-hidden="true">
                  {title}
                </span>
              )
            ) : (
              <h1 className="truncate shrinks" dir="auto">
                {title}
              </h1>
            )}
            {isClear && <span className="is-clear" hidden />}
            {segments && !below.value && <Segments label={title} items={segments} />}
          </>,
          start.value,
        )}
      {segments && below.value && createPortal(<Segments label={title} items={segments} />, below.value)}
      {children && end.value && createPortal(children, end.value)}
    </>
  )
}

/** Whether part of an element is still below the top bar. Until it has scrolled away, the bar is clear. */
export function useIsBehindBar(element: RefObject<HTMLElement | null>) {
  const [isBehind, setBehind] = useState(true)
  useEffect(() => {
    const bar = document.querySelector<HTMLElement>('.top-bar')?.offsetHeight ?? 0
    const observer = new IntersectionObserver(([entry]) => setBehind(entry!.isIntersecting), {
      rootMargin: `-${bar}px 0px 0px`,
    })
    if (element.current) observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return isBehind
}

export function useTitle(title: string) {
  useEffect(() => {
    document.title = title ? `${title} · Castellan` : 'Castellan'
  }, [title])
}
