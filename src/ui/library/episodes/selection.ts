import { lazily } from '../../components/lazily'

export const SelectionBar = lazily(async () => (await import('./selection-bar')).SelectionBar)
