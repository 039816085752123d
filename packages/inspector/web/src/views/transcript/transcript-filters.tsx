import { Chip, Group, Switch } from '@mantine/core'
import type { ViewMessage } from '../../../../src/view/session-view.ts'
import { type PlacedMessage, transcriptOf } from '../../ui/find-messages.ts'

interface TranscriptFiltersProps {
  readonly filter: MessageFilter
  readonly roles: readonly ViewMessage['role'][]
  readonly onChange: (filter: MessageFilter) => void
}

export function TranscriptFilters({ filter, roles, onChange }: TranscriptFiltersProps) {
  const toggle = (role: ViewMessage['role']) =>
    filter.roles.includes(role) ? filter.roles.filter((other) => other !== role) : [...filter.roles, role]
  return (
    <Group gap={6} role="group" aria-label="Filter">
      {roles.map((role) => (
        <Chip
          key={role}
          size="xs"
          variant="outline"
          checked={filter.roles.includes(role)}
          onChange={() => onChange({ ...filter, roles: toggle(role) })}
        >
          {role}
        </Chip>
      ))}
      <Switch
        size="xs"
        ml={4}
        label="What the engine wrote"
        checked={filter.withEngine}
        onChange={(event) => onChange({ ...filter, withEngine: event.currentTarget.checked })}
      />
    </Group>
  )
}

export interface MessageFilter {
  readonly roles: readonly ViewMessage['role'][]
  readonly withEngine: boolean
}

export function filterMessages(
  messages: readonly ViewMessage[],
  filter: MessageFilter,
): readonly PlacedMessage[] {
  const all = filter.withEngine
    ? messages.map((message, index) => ({ index, message }))
    : transcriptOf(messages)
  if (filter.roles.length === 0) return all
  return all.filter(({ message }) => filter.roles.includes(message.role))
}

export function rolesOf(messages: readonly ViewMessage[]): readonly ViewMessage['role'][] {
  const present = new Set(messages.map(({ role }) => role))
  return (['system', 'developer', 'user', 'assistant', 'tool'] as const).filter((role) => present.has(role))
}
