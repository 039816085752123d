import { Chip, Group, NativeSelect } from '@mantine/core'
import { useMemo } from 'react'
import { countTools, type TranscriptRow } from '../../data/transcript-rows.ts'
import { formatCount } from '../../format.ts'
import type { Route } from '../../route.ts'
import { visibleText } from '../../ui/text-pieces.ts'
import { AsWrittenSwitch } from '../as-written-switch.tsx'
import classes from './transcript.module.css'

type Filters = Pick<Route, 'tool' | 'only' | 'as'>

interface TranscriptFiltersProps {
  readonly rows: readonly TranscriptRow[]
  readonly route: Route
  readonly onChange: (change: { readonly [Name in keyof Filters]: string | undefined }) => void
}

export function TranscriptFilters({ rows, route, onChange }: TranscriptFiltersProps) {
  const { tools, failed } = useMemo(() => countTools(rows), [rows])
  const names = [...tools].sort(([, a], [, b]) => b.calls - a.calls)
  return (
    <Group gap={6} role="group" aria-label="Filter">
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
            ...names.map(([name, { calls }]) => ({
              value: name,
              label: `${visibleText(name)} ${formatCount(calls)}`,
            })),
          ]}
          onChange={(event) => onChange({ tool: event.currentTarget.value || undefined })}
        />
      )}
      <AsWrittenSwitch route={route} onChange={onChange} />
    </Group>
  )
}
