import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { ApiError } from '../../api/client'
import { useApp } from '../../app-context'
import { BusyButton } from '../../components/busy-button'
import { Dialog } from '../../components/dialog'
import { onSubmit, useAction } from '../../components/use-action'
import { describeFailure } from '../../failure'
import { routes } from '../../routes'
import { DirectoryResults } from './directory-results'
import './add-podcast-dialog.css'

/** Tells the (beginning of an) address of a feed from words to search for. The `https://` may be missing. */
const isAddress = (text: string) => /^\w+:/.test(text) || (!/\s/.test(text) && /.\.../.test(text))

/** Adds a podcast by the address of its feed, or from the results of a directory search. */
export function AddPodcastDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const adding = useAdding(onClose, () => field.current?.focus())
  const given = text.trim()
  const isWords = given !== '' && !isAddress(given)

  return (
    <Dialog title={t('add-podcast')} onClose={onClose}>
      {close => (
        <form onSubmit={onSubmit(() => !isWords && adding.run(given))} noValidate>
          <AddressField
            ref={field}
            text={text}
            isBusy={adding.isBusy}
            failure={adding.reason}
            help={t(isWords ? 'searching-directory' : 'feed-address-help')}
            onChange={next => {
              setText(next)
              adding.forgetFailure()
            }}
          />
          {adding.isUnplayable && (
            <button
              type="button"
              className="secondary add-anyway"
              onClick={() => adding.run(adding.address, { evenUnplayable: true })}
            >
              {t('add-anyway')}
            </button>
          )}
          {isWords && (
            <DirectoryResults
              words={given}
              isBusy={adding.isBusy}
              onAdd={hit => adding.run(hit.feedUrl)}
              onChosen={close}
            />
          )}
          <footer>
            <button type="button" className="secondary" onClick={close}>
              {t('cancel')}
            </button>
            {!isWords && (
              <BusyButton type="submit" isBusy={adding.isBusy}>
                {adding.isBusy ? t('adding-podcast') : t('add-podcast')}
              </BusyButton>
            )}
          </footer>
        </form>
      )}
    </Dialog>
  )
}

class MissingAddress extends Error {}

/**
 * An action that adds the podcast at an address and opens its page. `isUnplayable`: nothing in the feed can be played.
 */
function useAdding(onAdded: () => void, onFailed: () => void) {
  const { library, toasts } = useApp()
  const { t } = useTranslation()
  const [, navigate] = useLocation()
  const [address, setAddress] = useState('')
  const { failure, ...adding } = useAction(async (wanted: string, options?: { evenUnplayable: boolean }) => {
    setAddress(wanted)
    try {
      if (wanted === '') throw new MissingAddress()
      const podcast = await library.add(wanted, options)
      toasts.done(t(podcast.episode_count === 0 ? 'podcast-added-empty' : 'podcast-added', { name: podcast.name }))
      onAdded()
      navigate(routes.episodes(podcast.id))
    } catch (error) {
      onFailed()
      throw error
    }
  })
  const code = failure instanceof ApiError ? failure.code : null
  const isInvalid = failure instanceof MissingAddress || code === 'invalid-field'
  return {
    ...adding,
    address,
    isUnplayable: code === 'nothing-playable',
    reason: failure === null ? null : isInvalid ? t('feed-address-invalid') : describeFailure(failure),
  }
}

type FieldProps = {
  ref: React.Ref<HTMLInputElement>
  text: string
  isBusy: boolean
  failure: string | null
  help: string
  onChange: (text: string) => void
}

function AddressField({ ref, text, isBusy, failure, help, onChange }: FieldProps) {
  const { t } = useTranslation()
  return (
    <>
      <label htmlFor="feed-address">{t('feed-address')}</label>
      <input
        id="feed-address"
        ref={ref}
        type="text"
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="https://example.com/feed.xml"
        maxLength={4096}
        readOnly={isBusy}
        value={text}
        onChange={event => onChange(event.target.value)}
        aria-invalid={failure ? true : undefined}
        aria-describedby="feed-address-help"
      />
      <small id="feed-address-help" role={failure ? 'alert' : undefined}>
        {failure ?? help}
      </small>
    </>
  )
}
