import { ActionIcon, CopyButton } from '@mantine/core'
import type { ComponentProps, ReactNode } from 'react'

const CopyIcon = icon(
  <>
    <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
    <path d="M10.5 5.5v-2a1 1 0 0 0-1-1h-6a1 1 0 0 0-1 1v6a1 1 0 0 0 1 1h2" />
  </>,
)
const CheckIcon = icon(<path d="m3 8.5 3.2 3.2L13 4.8" />)
export const SearchIcon = icon(
  <>
    <circle cx="7" cy="7" r="4.2" />
    <path d="m10.2 10.2 3.3 3.3" />
  </>,
)
export const UpIcon = icon(<path d="m3.5 10 4.5-4.5 4.5 4.5" />)
export const DownIcon = icon(<path d="m3.5 6 4.5 4.5L12.5 6" />)
export const LeftIcon = icon(<path d="M10 3.5 5.5 8l4.5 4.5" />)
export const RightIcon = icon(<path d="M6 3.5 10.5 8 6 12.5" />)

function icon(strokes: ReactNode) {
  return () => (
    <svg
      width="14"
      height="14"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {strokes}
    </svg>
  )
}

/** A button that looks like a link. */
export function TextButton({ className = '', ...props }: ComponentProps<'button'>) {
  return <button type="button" className={`text-button ${className}`} {...props} />
}

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
