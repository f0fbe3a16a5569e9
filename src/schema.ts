/**
 * The one front door to the schema library: configuration, written API records and feed records are each described
 * once with it, and types, validation and published JSON Schemas come from that one description.
 */
export { z } from 'zod';
