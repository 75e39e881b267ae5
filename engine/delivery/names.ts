/** What is done when a file that is not this result already has the name. */
export type OnConflict = 'rename' | 'skip' | 'overwrite'
