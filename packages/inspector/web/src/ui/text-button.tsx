import type { ComponentProps } from 'react'

/** A button that looks like a link. */
export function TextButton({ className = '', ...props }: ComponentProps<'button'>) {
  return <button type="button" className={`text-button ${className}`} {...props} />
}
