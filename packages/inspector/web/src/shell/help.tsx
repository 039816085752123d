import { Kbd, Modal, Table } from '@mantine/core'
import type { ReactNode } from 'react'
import { kindFills } from '../charts/chart-colors.ts'
import { KINDS } from '../data/session-figures.ts'
import { cssColor, tokenKindLabels, tokenKindMeanings } from '../ui/kind-colors.ts'
import classes from './shell.module.css'

const KEYS: readonly (readonly [string, string])[] = [
  ['1 – 6', 'Timeline, context, transcript, summaries, decisions, compare'],
  ['0', 'Back to where the page began'],
  ['/', 'Search what is shown, or else the transcript'],
  ['← →', 'The request before, the request after'],
  ['Page ↑ ↓', 'On a chart: ten requests on, ten back'],
  ['Home, End', 'On a chart: the first request, the last'],
  ['[ ]', 'In the context: the compaction before, the one after'],
  ['Enter', 'On a chart: the context of the request'],
  ['?', 'This list'],
]

export function Help({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Help" size="lg" centered>
      <h2 className={classes.helpTitle}>What a prompt is made of</h2>
      <Lines
        lines={KINDS.map((kind) => [
          <span key={kind}>
            <i className="swatch" style={{ background: cssColor(kindFills[kind]), marginInlineEnd: 6 }} />
            {tokenKindLabels[kind]}
          </span>,
          tokenKindMeanings[kind],
        ])}
      />
      <h2 className={classes.helpTitle}>Keys</h2>
      <Lines lines={KEYS.map(([key, meaning]) => [<Kbd key={key}>{key}</Kbd>, meaning])} />
    </Modal>
  )
}

function Lines({ lines }: { readonly lines: readonly (readonly [ReactNode, string])[] }) {
  return (
    <Table verticalSpacing={5}>
      <Table.Tbody>
        {lines.map(([what, meaning]) => (
          <Table.Tr key={meaning}>
            <Table.Th scope="row" fw={500} style={{ whiteSpace: 'nowrap' }}>
              {what}
            </Table.Th>
            <Table.Td w="100%">{meaning}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
