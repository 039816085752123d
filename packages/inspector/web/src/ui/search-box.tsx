import { ActionIcon, Group, Kbd, TextInput, Tooltip } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import { DownIcon, SearchIcon, UpIcon } from './buttons.tsx'
import classes from './ui.module.css'

interface SearchBoxProps {
  readonly query: string
  readonly onChange: (query: string) => void
  readonly placeholder: string
  readonly found: string
  readonly onStep?: (by: 1 | -1) => void
}

export function SearchBox({ query, onChange, placeholder, found, onStep }: SearchBoxProps) {
  const field = useRef<HTMLInputElement>(null)
  useHotkeys([['/', () => field.current?.focus()]])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') onStep?.(event.shiftKey ? -1 : 1)
    if (event.key === 'Escape') onChange('')
  }
  return (
    <Group gap="xs" wrap="wrap" className={classes.search} role="search">
      <TextInput
        ref={field}
        size="xs"
        type="search"
        className={classes.searchField}
        aria-label={placeholder}
        placeholder={placeholder}
        leftSection={<SearchIcon />}
        rightSection={<Kbd size="xs">/</Kbd>}
        value={query}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {onStep && found !== '' && (
        <Group gap={2}>
          <StepButton label="Previous match (Shift+Enter)" onClick={() => onStep(-1)}>
            <UpIcon />
          </StepButton>
          <StepButton label="Next match (Enter)" onClick={() => onStep(1)}>
            <DownIcon />
          </StepButton>
        </Group>
      )}
      <output className="amount" aria-live="polite">
        {found}
      </output>
    </Group>
  )
}

interface StepButtonProps {
  readonly label: string
  readonly onClick: () => void
  readonly children: ReactNode
}

function StepButton({ label, onClick, children }: StepButtonProps) {
  return (
    <Tooltip label={label} openDelay={400}>
      <ActionIcon variant="default" size="md" aria-label={label} onClick={onClick}>
        {children}
      </ActionIcon>
    </Tooltip>
  )
}
