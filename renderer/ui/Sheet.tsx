import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { classes } from './class-names.ts'
import { IconButton } from './Button.tsx'
import { t } from '../../shared/language/text.ts'

export interface SheetProps {
  readonly title: ReactNode
  readonly subtitle?: ReactNode
  readonly isOpen: boolean
  /** Escape, the cross, a press beside it where `isDismissable`. Closing never spends. */
  readonly onClose: () => void
  /** Pixels; never wider than the window less 48. */
  readonly width?: number
  /** A press beside the sheet closes it. */
  readonly isDismissable?: boolean
  /** `alertdialog` where a decision must be made. */
  readonly role?: 'dialog' | 'alertdialog'
  /** Without padding of its own, for columns that bring theirs. */
  readonly bare?: boolean
  readonly footer?: ReactNode
  readonly children: ReactNode
}

/** A modal sheet with header, body that scrolls, and footer. Focus goes to whatever in it has `autoFocus`, and returns. */
export function Sheet(props: SheetProps) {
  const { title, subtitle, isOpen, onClose, width = 560, footer, children, bare } = props
  return (
    <ModalOverlay
      className="scrim"
      isOpen={isOpen}
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      isDismissable={props.isDismissable ?? false}
    >
      <Modal style={{ width: `min(${width}px, 100vw - 48px)` }}>
        <Dialog className="sheet" role={props.role ?? 'dialog'}>
          <header className="sheet-head">
            <div className="grow">
              <Heading slot="title" level={2}>
                {title}
              </Heading>
              {subtitle !== undefined && <div className="f3">{subtitle}</div>}
            </div>
            <IconButton icon={<X size={16} />} label={t`Close`} keys="Esc" onPress={onClose} />
          </header>
          <div className={classes('sheet-body', bare === true && 'bare')}>{children}</div>
          {footer !== undefined && <footer className="sheet-foot">{footer}</footer>}
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
