import { Switch } from '@mantine/core'
import type { Route } from '../route.ts'

interface AsWrittenSwitchProps {
  readonly route: Pick<Route, 'as'>
  readonly onChange: (change: { readonly as: string | undefined }) => void
}

export const AsWrittenSwitch = ({ route, onChange }: AsWrittenSwitchProps) => (
  <Switch
    size="xs"
    label="As written"
    checked={route.as === 'written'}
    onChange={(event) => onChange({ as: event.currentTarget.checked ? 'written' : undefined })}
  />
)
