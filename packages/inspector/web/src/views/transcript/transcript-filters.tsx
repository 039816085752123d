import { Chip, Group, NativeSelect, Switch } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useMemo, useState } from 'react'
import { countTools, type TranscriptFilter, type TranscriptRow } from '../../data/transcript-rows.ts'
import { formatCount } from '../../format.ts'
import type { Route } from '../../route.ts'
import { TextButton } from '../../ui/buttons.tsx'
import classes from './transcript.module.css'

type Filters = Pick<Route, 'roles' | 'tool' | 'only' | 'as' | 'with'>

interface TranscriptFiltersProps {
  readonly rows: readonly TranscriptRow[]
  readonly route: Route
  /** Of the address; undefined takes a filter away. */
  readonly onChange: (change: { readonly [Name in keyof Filters]: string | undefined }) => void
}

export function TranscriptFilters({ rows, route, onChange }: TranscriptFiltersProps) {
  const roles = useMemo(() => rolesOf(rows), [rows])
  const { tools, failed } = useMemo(() => countTools(rows), [rows])
  const chosen = rolesIn(route)
  const toggle = (role: string) => {
    const next = chosen.includes(role) ? chosen.filter((other) => other !== role) : [...chosen, role]
    onChange({ roles: next.join(',') || undefined })
  }
  const isNarrow = useMediaQuery('(max-width: 36em)', undefined, { getInitialValueInEffect: false })
  const isFiltered = [route.roles, route.tool, route.only, route.as, route.with].some((value) => value)
  const [isOpen, setOpen] = useState(isFiltered)
  const names = [...tools].sort(([, a], [, b]) => b - a)
  if (isNarrow && !isOpen) return <TextButton onClick={() => setOpen(true)}>Filter</TextButton>
  return (
    <Group gap={6} role="group" aria-label="Filter">
      {roles.map((role) => (
        <Chip
          key={role}
          size="xs"
          variant="outline"
          checked={chosen.includes(role)}
          onChange={() => toggle(role)}
        >
          {role}
        </Chip>
      ))}
      {failed > 0 && (
        <Chip
          size="xs"
          variant="outline"
          color="red"
          checked={route.only === 'failed'}
          onChange={(isOn) => onChange({ only: isOn ? 'failed' : undefined })}
        >
          failed {formatCount(failed)}
        </Chip>
      )}
      {names.length > 0 && (
        <NativeSelect
          size="xs"
          className={classes.tool}
          aria-label="Tool"
          value={route.tool ?? ''}
          data={[
            { value: '', label: 'All tools' },
            ...names.map(([name, count]) => ({ value: name, label: `${name} ${formatCount(count)}` })),
          ]}
          onChange={(event) => onChange({ tool: event.currentTarget.value || undefined })}
        />
      )}
      <Switch
        size="xs"
        label="As written"
        checked={route.as === 'written'}
        onChange={(event) => onChange({ as: event.currentTarget.checked ? 'written' : undefined })}
      />
      <Switch
        size="xs"
        label="What the engine wrote"
        checked={route.with === 'engine'}
        onChange={(event) => onChange({ with: event.currentTarget.checked ? 'engine' : undefined })}
      />
    </Group>
  )
}

export function filterOf(route: Route): TranscriptFilter {
  return { roles: rolesIn(route), tool: route.tool, onlyFailed: route.only === 'failed' }
}

const rolesIn = ({ roles }: Route): readonly string[] => roles?.split(',') ?? []

function rolesOf(rows: readonly TranscriptRow[]): readonly string[] {
  const present = new Set<string>(rows.map(({ message }) => message.role))
  if (rows.some(({ results }) => results.size > 0)) present.add('tool')
  return ['system', 'developer', 'user', 'assistant', 'tool'].filter((role) => present.has(role))
}
