import { Table } from '@mantine/core'
import { useMemo } from 'react'
import type { SessionView } from '../../../../src/view/session-view.ts'
import { sideColor } from '../../ui/colors.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import { figuresOf } from '../figures.ts'
import classes from './compare.module.css'

export function FiguresTable({ views }: { readonly views: readonly SessionView[] }) {
  const sides = useMemo(() => views.map(figuresOf), [views])
  const labels = new Map(sides.flat().map(({ name, label }) => [name, label]))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: many engines may not fit, and what scrolls must be reachable by keyboard
    <section className={`panel ${classes.scroller}`} aria-label="Figures" tabIndex={0}>
      <Table horizontalSpacing={4} verticalSpacing={3} fz={{ base: 'xs', sm: 'sm' }}>
        <Table.Thead>
          <Table.Tr>
            <Table.Td />
            {views.map((view, place) => (
              <Table.Th
                key={view.id}
                ta="right"
                className={classes.engine}
                style={{ borderBottomColor: sideColor(place) }}
              >
                <PlainText text={view.engine} />
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          <Table.Tr>
            <Table.Th scope="row" fw={400} c="dimmed">
              Who writes summaries
            </Table.Th>
            {views.map(({ id, summaries = '–' }) => (
              <Table.Td key={id} ta="right" className={classes.writer}>
                <PlainText text={summaries} />
              </Table.Td>
            ))}
          </Table.Tr>
          {[...labels].map(([name, label]) => (
            <Table.Tr key={name}>
              <Table.Th scope="row" fw={400} c="dimmed">
                {label}
              </Table.Th>
              {sides.map((figures, place) => (
                <Table.Td key={views[place]?.id} ta="right">
                  {figures.find((figure) => figure.name === name)?.shown ?? '–'}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  )
}
