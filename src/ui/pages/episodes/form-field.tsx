import { useTranslation } from 'react-i18next'
import type { PreferredForm } from '../../../shared/api/playables'
import { preferredForms } from '../../../shared/choices'
import { SelectField } from '../../components/select-field'

type Choice = PreferredForm | ''
type Props = { label: string; help: string; value: Choice; onChange: (choice: Choice) => void }

const choices: readonly Choice[] = ['', ...preferredForms]

/** Chooses the form of episodes that is preferred where a feed offers several; '' = the main one. */
export function FormField(props: Props) {
  const { t } = useTranslation()
  return <SelectField {...props} options={choices} textOf={choice => t(`form-${choice || 'main'}`)} />
}
