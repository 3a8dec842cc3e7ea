/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * yaml_form: reads a YAML text whose keys are all known beforehand into structs, by a schema of
 * libcyaml.  Before that the text is held against the same schema and whatever does not fit is
 * told with its line and what was expected there; libcyaml itself would only log it.  For bench/
 * alone.
 */
#ifndef FSB_BENCH_YAML_FORM_H
#define FSB_BENCH_YAML_FORM_H

#include <cyaml/cyaml.h>

#include "bench/trouble.h"
#include "bench/yaml_tree.h"

/* A file of more bytes than this was not written by a person. */
#define YAML_FILE_MAX (1u << 20)

/*
 * Texts, lists of texts, lists of mappings and mappings; all values are pointers
 * (CYAML_FLAG_POINTER).  More the check does not know.
 */
struct yaml_form {
	const char *identity; /* value of the key `schema`: "fsbstat-matrix/1" */
	const struct cyaml_schema_value *schema; /* a mapping */
	/* What more to say of an unknown key in the value of @in ("": the whole); NULL: nothing. */
	const char *(*hint)(const char *in, const char *key);
};

/* A whole file, which is text; malloc'd, NULL with *trouble. */
char *yaml_file_read(const char *path, struct trouble *trouble);

/*
 * Reads a text of this form.  *data is for yaml_form_free(), *tree tells lines and is for
 * yaml_tree_free().  0, or -1 with *trouble and both NULL.
 */
int yaml_form_read(const struct yaml_form *form, const char *path, const char *text, void **data,
		   struct yaml_tree **tree, struct trouble *trouble);
void yaml_form_free(const struct yaml_form *form, void *data);

#endif /* FSB_BENCH_YAML_FORM_H */
