import { Table } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useMemo } from 'react'
import type { SessionView } from '../../../../src/view/session-view.ts'
import { sessionFigures } from '../../data/session-figures.ts'
import { formatCount, formatShare, formatShort, formatUsd } from '../../format.ts'
import { cssColor, sideColor } from '../../ui/colors.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import classes from './compare.module.css'

interface Line {
  readonly name: string
  readonly label: string
  readonly values: readonly (number | null)[]
  readonly format: (value: number) => string
}

export function FiguresTable({ views }: { readonly views: readonly SessionView[] }) {
  const isNarrow = useMediaQuery('(max-width: 36em)', undefined, { getInitialValueInEffect: false }) ?? false
  const lines = useMemo(() => linesOf(views, isNarrow ? formatShort : formatCount), [views, isNarrow])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: many engines may not fit, and what scrolls must be reachable by keyboard
    <section className={`panel ${classes.scroller}`} aria-label="Figures" tabIndex={0}>
      <Table horizontalSpacing={isNarrow ? 4 : 'sm'} verticalSpacing={3} fz={isNarrow ? 'xs' : 'sm'}>
        <Table.Thead>
          <Table.Tr>
            <Table.Td />
            {views.map((view, place) => (
              <Table.Th
                key={view.id}
                ta="right"
                className={classes.engine}
                style={{ borderBottomColor: cssColor(sideColor(place)) }}
              >
                <PlainText text={view.engine} />
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lines.map(({ name, label, values, format }) => (
            <Table.Tr key={name}>
              <Table.Th scope="row" className={classes.label} fw={400} c="dimmed">
                {label}
              </Table.Th>
              {values.map((value, place) => (
                <Table.Td
                  key={views[place]?.id}
                  ta="right"
                  data-testid={`side-${place}-${name}`}
                  data-value={value ?? ''}
                >
                  {value === null ? '–' : format(value)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  )
}

function linesOf(views: readonly SessionView[], format: Line['format']): readonly Line[] {
  const figures = views.map(sessionFigures)
  const count = { format }
  return [
    { name: 'requests', label: 'Requests', values: views.map((view) => view.requests.length), ...count },
    { name: 'sent', label: 'Tokens sent', values: figures.map(({ sent }) => sent), ...count },
    { name: 'largest', label: 'Largest prompt', values: figures.map(({ largest }) => largest), ...count },
    {
      name: 'compactions',
      label: 'Compactions',
      values: figures.map(({ compacted }) => compacted),
      ...count,
    },
    { name: 'usd', label: 'Bill', values: views.map(({ bill }) => bill?.sticky ?? null), format: formatUsd },
    {
      name: 'cache-share',
      label: 'Read from cache',
      values: views.map(({ bill }, place) => bill?.cacheReadShare ?? figures[place]?.cacheReadShare ?? null),
      format: formatShare,
    },
    {
      name: 'summaries',
      label: 'Summaries',
      values: views.map((view) => view.summaryNodes.length),
      ...count,
    },
    {
      name: 'decisions',
      label: 'Decisions',
      values: views.map((view) => view.decisions?.length ?? null),
      ...count,
    },
  ]
}
