"""Result files of benchmark tools → measurements. One module a format, one shape: `FORMAT` recognises and reads."""
