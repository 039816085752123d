import { ActionIcon, CopyButton } from '@mantine/core'
import { CheckIcon, CopyIcon } from './icons.tsx'

export function CopyText({
  text,
  label = 'Copy the text',
}: {
  readonly text: string
  readonly label?: string
}) {
  return (
    <CopyButton value={text} timeout={1_500}>
      {({ copied, copy }) => {
        const says = copied ? 'Copied' : label
        // The browser's own tooltip: lists have a card for every message, and the library's costs each of them more
        // than its text.
        return (
          <ActionIcon variant="subtle" color="gray" size="sm" aria-label={says} title={says} onClick={copy}>
            {copied ? <CheckIcon /> : <CopyIcon />}
          </ActionIcon>
        )
      }}
    </CopyButton>
  )
}
