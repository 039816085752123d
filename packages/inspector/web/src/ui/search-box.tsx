import { ActionIcon, Group, Kbd, TextInput } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import classes from './ui.module.css'

interface SearchBoxProps {
  readonly query: string
  readonly onChange: (query: string) => void
  readonly placeholder: string
  readonly found: string
  readonly onStep?: (by: 1 | -1) => void
}

export function SearchBox({ query, onChange, placeholder, found, onStep }: SearchBoxProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') onStep?.(event.shiftKey ? -1 : 1)
    if (event.key === 'Escape') onChange('')
  }
  return (
    <Group gap="xs" wrap="wrap" className={classes.search} role="search">
      <TextInput
        size="xs"
        type="search"
        className={classes.searchField}
        aria-label={placeholder}
        placeholder={`${placeholder} ("…": whole words)`}
        rightSection={<Kbd size="xs">/</Kbd>}
        value={query}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {onStep && found !== '' && (
        <Group gap={2}>
          <ActionIcon variant="default" aria-label="Previous match (Shift+Enter)" onClick={() => onStep(-1)}>
            ↑
          </ActionIcon>
          <ActionIcon variant="default" aria-label="Next match (Enter)" onClick={() => onStep(1)}>
            ↓
          </ActionIcon>
        </Group>
      )}
      <output className="amount" aria-live="polite">
        {found}
      </output>
    </Group>
  )
}
