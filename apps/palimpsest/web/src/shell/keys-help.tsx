import { Kbd, Modal, Table } from '@mantine/core'

const KEYS: readonly (readonly [string, string])[] = [
  ['1 – 6', 'Timeline, context, transcript, summaries, decisions, compare'],
  ['0', 'All sessions'],
  ['/', 'Search the transcript'],
  ['← →', 'The request before, the request after'],
  ['Page ↑ ↓', 'On a chart: ten requests on, ten back'],
  ['Home, End', 'On a chart: the first request, the last'],
  ['[ ]', 'In the context: the compaction before, the one after'],
  ['Enter', 'On a chart: the context of the request'],
  ['?', 'This list'],
]

/** The keys that work everywhere. */
export function KeysHelp({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Keys" centered>
      <Table verticalSpacing={6}>
        <Table.Tbody>
          {KEYS.map(([key, meaning]) => (
            <Table.Tr key={key}>
              <Table.Td style={{ whiteSpace: 'nowrap' }}>
                <Kbd>{key}</Kbd>
              </Table.Td>
              <Table.Td>{meaning}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  )
}
