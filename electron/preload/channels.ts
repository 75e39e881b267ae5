/** Names of what crosses between a window's page and the program; nothing else is listened to. */
export const channels = {
  /** Page to program: a line is wanted, and a former one of this page is over. */
  open: 'vitrine:open',
  /** Both ways: one frame of the line. */
  frame: 'vitrine:frame',
  /** Program to page: the line is over. */
  closed: 'vitrine:closed',
  /** Page to program, with an answer: paths of dropped files, for the id of a drop. */
  takeDrop: 'vitrine:take-drop',
} as const
