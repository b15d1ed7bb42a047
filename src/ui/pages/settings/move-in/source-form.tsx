import { useSignals } from '@preact/signals-react/runtime'
import { Check, FileUp, Minus } from 'lucide-react'
import { type ReactNode, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Move, MoveSource } from '../../../../shared/api/move'
import { useApp } from '../../../app-context'
import { BusyButton } from '../../../components/buttons'
import { Cover } from '../../../components/cover'
import { FormFailure, TextField } from '../../../components/fields'
import { Notice } from '../../../components/notice'
import { onSubmit, useAction } from '../../../components/use-action'
import { describeFailure } from '../../../failure'
import { formatBytes } from '../../../format-facts'
import { DropButton, useMoves } from './moves'

type SourceFormProps = {
  sources: readonly MoveSource[]
  /** Hidden, it keeps what was entered for another try. */
  hidden: boolean
  onBrought: () => void
}

/** Asks for the file of another program: one on this device, or for admins one on the server. */
export function SourceForm({ sources, hidden, onBrought }: SourceFormProps) {
  useSignals()
  const { session } = useApp()
  const { t } = useTranslation()
  const moves = useMoves()
  const input = useRef<HTMLInputElement>(null)
  const bringing = useAction(async (file: File) => {
    await moves.bring(file, null)
    onBrought()
  })
  return (
    <section hidden={hidden}>
      <h2 className="display flush">{t('move-from')}</h2>
      <p className="muted spaced">{t('move-from-text')}</p>
      <MoveSources sources={sources} onChoose={() => input.current?.click()} />
      <div className="padded move-card move-drop rounded">
        <div className="wrap row gap-12 spread">
          <span className="stack gap-2 shrinks">
            <b className="title">{t('move-drop-any')}</b>
            <span className="muted">{t('move-drop')}</span>
          </span>
          <BusyButton className="secondary with-icon" isBusy={bringing.isBusy} onClick={() => input.current?.click()}>
            <FileUp size={18} aria-hidden="true" />
            {t('move-choose')}
          </BusyButton>
        </div>
        <input
          ref={input}
          type="file"
          hidden
          aria-label={t('move-choose')}
          onChange={event => {
            const [chosen] = event.target.files ?? []
            // The same file can be chosen again.
            event.target.value = ''
            if (chosen) bringing.run(chosen)
          }}
        />
        <FormFailure reason={bringing.failure === null ? null : describeFailure(bringing.failure)} />
        <ServerForm onBrought={onBrought} />
        {session.isAdmin.value && <PathForm onBrought={onBrought} />}
      </div>
    </section>
  )
}

type ReadFormProps = {
  summary: string
  isComplete: boolean
  read: () => Promise<unknown>
  /** The fields; they get the reason why the last try failed. */
  children: (failure: string | null) => ReactNode
}

/** A form that names a source in place of a file. It is folded away until somebody wants it. */
function ReadForm({ summary, isComplete, read, children }: ReadFormProps) {
  const { t } = useTranslation()
  const { run, isBusy, failure } = useAction(read)
  return (
    <details className="move-path">
      <summary>{summary}</summary>
      <form onSubmit={onSubmit(() => run())}>
        {children(failure === null ? null : describeFailure(failure))}
        <BusyButton type="submit" className="secondary" isBusy={isBusy} disabled={!isComplete}>
          {t('move-read')}
        </BusyButton>
      </form>
    </details>
  )
}

const verbatim = { autoCapitalize: 'off', autoCorrect: 'off', spellCheck: false } as const

/** Asks for a server by its address, and a person there. */
function ServerForm({ onBrought }: { onBrought: () => void }) {
  const { t } = useTranslation()
  const moves = useMoves()
  const [address, setAddress] = useState('')
  const [user, setUser] = useState('')
  const [password, setPassword] = useState('')
  async function read() {
    await moves.bringServer({ address: address.trim(), user: user.trim(), password })
    onBrought()
  }
  const isComplete = address.trim() !== '' && user.trim() !== '' && password !== ''
  return (
    <ReadForm summary={t('move-server')} isComplete={isComplete} read={read}>
      {failure => (
        <>
          <TextField
            label={t('move-server-address')}
            help={t('move-server-help')}
            failure={failure}
            value={address}
            type="url"
            placeholder="https://castellan.example"
            onChange={setAddress}
          />
          <TextField label={t('username')} value={user} autoComplete="off" {...verbatim} onChange={setUser} />
          <TextField
            label={t('move-server-password')}
            help={t('move-server-password-help')}
            value={password}
            type="password"
            autoComplete="off"
            onChange={setPassword}
          />
        </>
      )}
    </ReadForm>
  )
}

function PathForm({ onBrought }: { onBrought: () => void }) {
  const { t } = useTranslation()
  const moves = useMoves()
  const [path, setPath] = useState('')
  async function read() {
    await moves.bringPath(path.trim(), null)
    onBrought()
  }
  return (
    <ReadForm summary={t('move-path')} isComplete={path.trim() !== ''} read={read}>
      {failure => (
        <TextField
          label={t('move-path-label')}
          help={t('move-path-help')}
          failure={failure}
          value={path}
          placeholder="/mnt/old/podcast.db"
          {...verbatim}
          onChange={setPath}
        />
      )}
    </ReadForm>
  )
}

/** An upload: its progress, and what to do if it was interrupted. */
export function Receiving({ move }: { move: Move }) {
  useSignals()
  const { t } = useTranslation()
  const moves = useMoves()
  const resuming = useAction(moves.resume)
  const upload = moves.upload.value?.id === move.id ? moves.upload.value : null
  const hasFailed = upload !== null && upload.failure !== null
  const total = move.bytes ?? 0
  return (
    <section aria-label={t('move-receiving', { file: move.file })}>
      <h2>{t('move-receiving', { file: move.file })}</h2>
      <progress value={move.received} max={total} aria-label={t('move-receiving', { file: move.file })} />
      <p className="numbers" role="status">
        {t('move-received', { received: formatBytes(move.received), total: formatBytes(total) })}
      </p>
      {!upload && <Notice title={t('move-interrupted')}>{t('move-choose-again', { file: move.file })}</Notice>}
      {hasFailed && (
        <Notice title={t('move-interrupted')} isFailure>
          {describeFailure(upload.failure)}
        </Notice>
      )}
      <div className="move-actions wrap gap-8">
        {hasFailed && (
          <button type="button" disabled={resuming.isBusy} onClick={() => resuming.run()}>
            {t('move-resume')}
          </button>
        )}
        <DropButton move={move} />
      </div>
    </section>
  )
}

const kinds = ['subscriptions', 'positions', 'queue', 'likes'] as const
type Kind = (typeof kinds)[number]

const all: readonly Kind[] = kinds
const withoutQueue: readonly Kind[] = ['subscriptions', 'positions', 'likes']
const onlySubscriptions: readonly Kind[] = ['subscriptions']

/** The things that are read from the file of each program. */
export const broughtBy: Readonly<Record<string, readonly Kind[]>> = {
  podfetch: all,
  pinepods: all,
  audiobookshelf: ['subscriptions', 'positions'],
  podgrab: withoutQueue,
  antennapod: all,
  'podcast-addict': withoutQueue,
  'pocket-casts': all,
  'apple-podcasts': withoutQueue,
  gpodder: withoutQueue,
  kasts: all,
  castget: onlySubscriptions,
  portcast: all,
  opml: onlySubscriptions,
}

type Props = { sources: readonly MoveSource[]; onChoose: () => void }

/** Every program that people can move from, and what is read from it; after a press, also where its file is. */
function MoveSources({ sources, onChoose }: Props) {
  const [chosen, setChosen] = useState<string | null>(null)
  return (
    <ul className="move-tiles stack gap-12 spaced">
      {sources.map(source => (
        <li className="stack" key={source.name}>
          <SourceTile
            source={source}
            isChosen={source.name === chosen}
            onToggle={() => setChosen(source.name === chosen ? null : source.name)}
            onChoose={onChoose}
          />
        </li>
      ))}
    </ul>
  )
}

type TileProps = { source: MoveSource; isChosen: boolean; onToggle: () => void; onChoose: () => void }

function SourceTile({ source: { name, title }, isChosen, onToggle, onChoose }: TileProps) {
  const { t } = useTranslation()
  const id = useId()
  const brought = broughtBy[name] ?? onlySubscriptions
  const missing = kinds.filter(kind => !brought.includes(kind)).map(kind => t(`move-brings.${kind}`))
  return (
    <div className="move-tile hovers card stack relative gap-12">
      <span className="move-tile-head gap-12 stack">
        <Cover src="" name={title} size={64} isMissing />
        <span className="stack gap-2 shrinks">
          <button
            type="button"
            className="plain start ink title whole"
            aria-expanded={isChosen}
            aria-describedby={`${id}-missing`}
            onClick={onToggle}
          >
            {title}
          </button>
        </span>
      </span>
      <span className="move-chips stack gap-6" aria-hidden="true">
        {kinds.map(kind => (
          <span
            key={kind}
            className={`move-chip with-icon gap-4 text-xs ${brought.includes(kind) ? 'shaded strong' : 'faint regular'}`}
          >
            {brought.includes(kind) ? <Check className="positive" size={14} /> : <Minus size={14} />}
            {t(`move-brings.${kind}`)}
          </span>
        ))}
      </span>
      <span className="visually-hidden" id={`${id}-missing`}>
        {missing.length > 0 && t('move-not-included', { kinds: missing.join(', ') })}
      </span>
      {isChosen && (
        <>
          <p className="fine breaks flush" role="status">
            {t(`move-where.${name}`)}
          </p>
          <button type="button" className="secondary with-icon centred over" onClick={onChoose}>
            <FileUp size={18} aria-hidden="true" />
            {t('move-choose')}
          </button>
        </>
      )}
    </div>
  )
}
