import { CopyButton } from '@mantine/core'
import type { ComponentProps } from 'react'

export function TextButton({ className = '', ...props }: ComponentProps<'button'>) {
  return <button type="button" className={`text-button ${className}`} {...props} />
}

export function CopyText({ text }: { readonly text: string }) {
  return (
    <CopyButton value={text} timeout={1_500}>
      {({ copied, copy }) => <TextButton onClick={copy}>{copied ? 'Copied' : 'Copy'}</TextButton>}
    </CopyButton>
  )
}
